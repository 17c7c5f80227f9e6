/** The services that the sandbox can stand in for. */
import type { Service } from "../../helpers/contract/contract.ts";
import { cardEnrollment } from "../card-enrollment/service.ts";
import { financialData } from "../financial-data/service.ts";
import { installments } from "../installments/service.ts";
import type { SandboxService } from "./service.ts";

export const SANDBOX_SERVICES: Readonly<Partial<Record<Service, SandboxService>>> = {
  "card-enrollment": cardEnrollment,
  installments,
  "financial-data": financialData,
};
