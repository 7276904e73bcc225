import { expect } from "chai";
import fc from "fast-check";
import { enumValueNames, queryNames, typeName } from "#plugins/graphql/src/names.js";
import { component, modelOf, type } from "../../core/schema/raw-schemas.js";

function namesOf(uid: string, singularName: string, pluralName: string) {
  const { contentTypes } = modelOf([
    { ...type("any", {}), uid, info: { singularName, pluralName, displayName: "Any" } },
  ]);
  const [shape] = [...contentTypes.values()];
  return shape && { type: typeName(shape), ...queryNames(shape) };
}

describe("Names in the schema", () => {
  it("are made of the names of a content-type, those of plugins after the plugin's", () => {
    expect(namesOf("api::blog-post.blog-post", "blog-post", "blog-posts")).to.deep.equal({
      type: "BlogPost",
      one: "blogPost",
      list: "blogPosts",
      connection: "blogPosts_connection",
    });
    expect(namesOf("plugin::users-permissions.user", "user", "users")).to.deep.include({
      type: "UsersPermissionsUser",
      one: "usersPermissionsUser",
      list: "usersPermissionsUsers",
    });
    expect(namesOf("plugin::i18n.locale", "locale", "locales")).to.deep.include({
      type: "I18NLocale",
      one: "i18NLocale",
      list: "i18NLocales",
    });
  });

  it("of components have their category", () => {
    const { components } = modelOf([], [component("shared.meta-tag", {})]);
    expect([...components.values()].map(typeName)).to.deep.equal(["ComponentSharedMetaTag"]);
  });

  it("of an enumeration's values are those values where they can be", () => {
    const values = ["news", "two words", "two-words", "1st", "true", "__x", "é", "", "Tag"];
    expect(enumValueNames(values)).to.deep.equal([
      ...["news", "two_words", "two_words_2", "_1st", "_true", "_x", "e", "_", "Tag"],
    ]);
  });

  it("of an enumeration's values are names of GraphQL and differ, whatever the values are", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), (values) => {
        const names = enumValueNames(values);
        expect(new Set(names).size).to.equal(values.length);
        for (const name of names) expect(name).to.match(/^(?!__)(?!(?:true|false|null)$)[_A-Za-z]\w*$/);
      }),
    );
  });
});
