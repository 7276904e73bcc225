// Written by `plinth develop` and `plinth types` from the content-types, routes and configuration of this app.
// Changes made here are lost.
import type { ConfigOf } from "@plinth/core";
import type {} from "@plinth/plugin-admin";
import type {} from "@plinth/plugin-api-tokens";
import type {} from "@plinth/plugin-content-api";
import type {} from "@plinth/plugin-email";
import type {} from "@plinth/plugin-graphql";
import type {} from "@plinth/plugin-i18n";
import type {} from "@plinth/plugin-import-strapi";
import type {} from "@plinth/plugin-jobs";
import type {} from "@plinth/plugin-openapi";
import type {} from "@plinth/plugin-upload";
import type {} from "@plinth/plugin-users-permissions";

declare module "@plinth/core" {
  interface ContentTypes {
    /** Article */
    "api::article.article": {
      kind: "collectionType";
      drafts: true;
      localized: false;
      attributes: {
        title: { kind: "string"; required: true };
        slug: { kind: "uid"; filled: true };
        summary: { kind: "text" };
        body: { kind: "blocks" };
        kind: { kind: "enumeration"; values: "news" | "opinion" | "tutorial"; filled: true };
        readingMinutes: { kind: "integer" };
        author: { kind: "relation"; target: "api::author.author" };
        categories: { kind: "relation"; target: "api::category.category"; many: true };
        cover: { kind: "media"; target: "plugin::upload.file" };
        seo: { kind: "component"; component: "shared.seo" };
        sections: { kind: "dynamiczone"; components: "sections.quote" | "sections.call-to-action" };
      };
    };
    /** Author */
    "api::author.author": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        name: { kind: "string"; required: true };
        email: { kind: "email"; private: true };
        bio: { kind: "text" };
        articles: { kind: "relation"; target: "api::article.article"; many: true };
      };
    };
    /** Category */
    "api::category.category": {
      kind: "collectionType";
      drafts: false;
      localized: true;
      attributes: {
        name: { kind: "string"; required: true };
        slug: { kind: "uid" };
        articles: { kind: "relation"; target: "api::article.article"; many: true };
        parent: { kind: "relation"; target: "api::category.category" };
        children: { kind: "relation"; target: "api::category.category"; many: true };
        localizations: { kind: "relation"; target: "api::category.category"; many: true; derived: true };
      };
    };
    /** Global */
    "api::global.global": {
      kind: "singleType";
      drafts: false;
      localized: false;
      attributes: {
        siteName: { kind: "string"; required: true };
        defaultSeo: { kind: "component"; component: "shared.seo" };
      };
    };
    /** Authenticator app */
    "plugin::admin.authenticator": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        account: { kind: "string"; required: true };
        secret: { kind: "text"; required: true; private: true };
        lastStep: { kind: "biginteger"; private: true };
      };
    };
    /** Invitation */
    "plugin::admin.invitation": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        seed: { kind: "string"; required: true; private: true };
        code: { kind: "string"; required: true; private: true };
        email: { kind: "email" };
        role: { kind: "string"; required: true };
        invitedBy: { kind: "string" };
        expiresAt: { kind: "datetime"; required: true };
      };
    };
    /** Passkey */
    "plugin::admin.passkey": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        account: { kind: "string"; required: true };
        name: { kind: "string"; required: true };
        credential: { kind: "string"; required: true; private: true };
        publicKey: { kind: "text"; required: true; private: true };
        counter: { kind: "biginteger"; required: true; private: true };
        transports: { kind: "json"; private: true };
        site: { kind: "string"; required: true };
        lastUsedAt: { kind: "datetime" };
      };
    };
    /** Preference */
    "plugin::admin.preference": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        key: { kind: "string"; required: true; private: true };
        account: { kind: "string"; required: true; private: true };
        name: { kind: "string"; required: true };
        kept: { kind: "json"; required: true };
      };
    };
    /** Recovery code */
    "plugin::admin.recovery-code": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        account: { kind: "string"; required: true };
        hash: { kind: "string"; required: true; private: true };
      };
    };
    /** Role of administrators */
    "plugin::admin.role": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        name: { kind: "string"; required: true };
        description: { kind: "text" };
        grant: { kind: "json"; required: true };
        requiresSecondFactor: { kind: "boolean"; filled: true };
      };
    };
    /** Session of an administrator */
    "plugin::admin.session": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        account: { kind: "string"; required: true };
        accountVersion: { kind: "integer"; required: true };
        handle: { kind: "string"; required: true; private: true };
        secret: { kind: "string"; required: true; private: true };
        lastSecret: { kind: "string"; private: true };
        secretSince: { kind: "datetime"; required: true };
        secretUsedAt: { kind: "datetime" };
        lastUsedAt: { kind: "datetime"; required: true };
        endsAt: { kind: "datetime"; required: true };
        stays: { kind: "boolean"; required: true };
        agent: { kind: "string" };
        network: { kind: "string" };
      };
    };
    /** Saved view */
    "plugin::admin.view": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        account: { kind: "string"; required: true; private: true };
        contentType: { kind: "string"; required: true };
        name: { kind: "string"; required: true };
        state: { kind: "json"; required: true };
        roles: { kind: "json"; required: true };
        isShared: { kind: "boolean"; required: true; filled: true };
      };
    };
    /** Working copy */
    "plugin::admin.working-copy": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        key: { kind: "string"; required: true; private: true };
        account: { kind: "string"; required: true; private: true };
        contentType: { kind: "string"; required: true };
        document: { kind: "string"; required: true };
        localeCode: { kind: "string" };
        base: { kind: "string" };
        changes: { kind: "json"; required: true };
        savedAt: { kind: "datetime" };
        device: { kind: "string"; required: true };
      };
    };
    /** Administrator */
    "plugin::api-tokens.admin": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        email: { kind: "email"; required: true };
        password: { kind: "password"; required: true; private: true };
        sessionVersion: { kind: "integer"; required: true; private: true; filled: true };
        name: { kind: "string" };
        role: { kind: "string"; required: true; filled: true };
        isActive: { kind: "boolean"; required: true; filled: true };
        language: { kind: "string" };
        lastSeenAt: { kind: "datetime" };
      };
    };
    /** API token */
    "plugin::api-tokens.token": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        name: { kind: "string"; required: true };
        description: { kind: "text" };
        type: { kind: "enumeration"; required: true; values: "read-only" | "full-access" | "custom" | "admin" };
        permissions: { kind: "json" };
        accessKey: { kind: "string"; required: true; private: true };
        expiresAt: { kind: "datetime" };
        lastUsedAt: { kind: "datetime" };
      };
    };
    /** Locale */
    "plugin::i18n.locale": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        code: { kind: "string"; required: true };
        name: { kind: "string"; required: true };
        isDefault: { kind: "boolean"; required: true; filled: true };
        fallback: { kind: "json" };
      };
    };
    /** File */
    "plugin::upload.file": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        uploadedBy: { kind: "relation"; private: true; target: "plugin::users-permissions.user" };
        name: { kind: "string"; required: true };
        alternativeText: { kind: "text" };
        caption: { kind: "text" };
        focalPoint: { kind: "json" };
        width: { kind: "integer" };
        height: { kind: "integer" };
        formats: { kind: "json" };
        hash: { kind: "string"; required: true };
        ext: { kind: "string" };
        mime: { kind: "string"; required: true };
        size: { kind: "decimal"; required: true };
        url: { kind: "text"; required: true };
        previewUrl: { kind: "text" };
        provider: { kind: "string"; required: true };
        provider_metadata: { kind: "json" };
        folder: { kind: "relation"; private: true; target: "plugin::upload.folder" };
        folderPath: { kind: "string"; private: true };
        related: { kind: "relation"; many: true; derived: true };
      };
    };
    /** Folder */
    "plugin::upload.folder": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        name: { kind: "string"; required: true };
        parent: { kind: "relation"; target: "plugin::upload.folder" };
        children: { kind: "relation"; target: "plugin::upload.folder"; many: true };
        files: { kind: "relation"; target: "plugin::upload.file"; many: true };
      };
    };
    /** Permission */
    "plugin::users-permissions.permission": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        action: { kind: "string"; required: true };
        role: { kind: "relation"; target: "plugin::users-permissions.role" };
      };
    };
    /** Role */
    "plugin::users-permissions.role": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        name: { kind: "string"; required: true };
        description: { kind: "string" };
        type: { kind: "string" };
        permissions: { kind: "relation"; target: "plugin::users-permissions.permission"; many: true };
        users: { kind: "relation"; private: true; target: "plugin::users-permissions.user"; many: true };
      };
    };
    /** Session */
    "plugin::users-permissions.session": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        user: { kind: "relation"; target: "plugin::users-permissions.user" };
        tokenHash: { kind: "string"; private: true };
        previousHash: { kind: "string"; private: true };
        rotatedAt: { kind: "datetime"; private: true };
        deviceId: { kind: "string" };
        deviceName: { kind: "string" };
        loginAt: { kind: "datetime" };
        expiresAt: { kind: "datetime" };
        maxExpiresAt: { kind: "datetime"; private: true };
        version: { kind: "integer"; private: true };
      };
    };
    /** User */
    "plugin::users-permissions.user": {
      kind: "collectionType";
      drafts: false;
      localized: false;
      attributes: {
        username: { kind: "string"; required: true };
        email: { kind: "email"; required: true };
        usernameKey: { kind: "string"; private: true };
        emailKey: { kind: "string"; private: true };
        provider: { kind: "string"; filled: true };
        password: { kind: "password"; private: true };
        resetPasswordToken: { kind: "string"; private: true };
        confirmationToken: { kind: "string"; private: true };
        confirmed: { kind: "boolean"; filled: true };
        blocked: { kind: "boolean"; filled: true };
        sessionVersion: { kind: "integer"; private: true; filled: true };
        role: { kind: "relation"; target: "plugin::users-permissions.role" };
      };
    };
  }
  interface Components {
    /** Call to action */
    "sections.call-to-action": {
      attributes: {
        label: { kind: "string"; required: true };
        url: { kind: "string"; required: true };
      };
    };
    /** Quote */
    "sections.quote": {
      attributes: {
        text: { kind: "text"; required: true };
        author: { kind: "relation"; target: "api::author.author" };
      };
    };
    /** SEO */
    "shared.seo": {
      attributes: {
        metaTitle: { kind: "string"; required: true };
        metaDescription: { kind: "text" };
      };
    };
  }
  interface Actions {
    "plugin::admin.preview.read": true;
    "plugin::content-type-builder.components.getComponent": true;
    "plugin::content-type-builder.components.getComponents": true;
    "plugin::content-type-builder.content-types.getContentType": true;
    "plugin::content-type-builder.content-types.getContentTypes": true;
    "plugin::email.email.send": true;
    "plugin::i18n.locales.listLocales": true;
    "plugin::openapi.document.find": true;
    "plugin::upload.content-api.destroy": true;
    "plugin::upload.content-api.find": true;
    "plugin::upload.content-api.findOne": true;
    "plugin::upload.content-api.findPage": true;
    "plugin::upload.content-api.findUses": true;
    "plugin::upload.content-api.upload": true;
    "plugin::upload.served.findOne": true;
    "plugin::users-permissions.auth.callback": true;
    "plugin::users-permissions.auth.changePassword": true;
    "plugin::users-permissions.auth.connect": true;
    "plugin::users-permissions.auth.emailConfirmation": true;
    "plugin::users-permissions.auth.forgotPassword": true;
    "plugin::users-permissions.auth.getSessions": true;
    "plugin::users-permissions.auth.logout": true;
    "plugin::users-permissions.auth.refresh": true;
    "plugin::users-permissions.auth.register": true;
    "plugin::users-permissions.auth.resetPassword": true;
    "plugin::users-permissions.auth.revokeSession": true;
    "plugin::users-permissions.auth.sendEmailConfirmation": true;
    "plugin::users-permissions.permissions.getPermissions": true;
  }
  interface AppConfig {
    access: ConfigOf<typeof import("../config/access.js").default>;
    api: ConfigOf<typeof import("../config/api.js").default>;
    database: ConfigOf<typeof import("../config/database.js").default>;
    i18n: ConfigOf<typeof import("../config/i18n.js").default>;
    log: ConfigOf<typeof import("../config/log.js").default>;
    middlewares: ConfigOf<typeof import("../config/middlewares.js").default>;
    permissions: ConfigOf<typeof import("../config/permissions.js").default>;
    schema: ConfigOf<typeof import("../config/schema.js").default>;
    server: ConfigOf<typeof import("../config/server.js").default>;
  }
}
