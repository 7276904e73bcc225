import { type ServiceRef, serviceRef } from "@plinth/core";
import { history } from "./contract.js";
import type { HistoryService } from "./history-service.js";

/** The same as `history`, for the plugin itself. */
export const historyService: ServiceRef<HistoryService> = serviceRef<HistoryService>(history.uid);
