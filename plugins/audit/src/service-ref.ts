import { type ServiceRef, serviceRef } from "@plinth/core";
import type { AuditService } from "./audit-service.js";
import { audit } from "./contract.js";

/** The same as `audit`, for the plugin itself. */
export const auditService: ServiceRef<AuditService> = serviceRef<AuditService>(audit.uid);
