/** The data that a sandbox starts with when it plays a recording: the resources that the real server showed. */
import type { Service } from "../../../helpers/contract/contract.ts";
import type { RecordedCall } from "../recorded.ts";
import { sandboxService } from "../services.ts";
import type { Fields } from "../values/fields.ts";
import { checkedData, type SandboxData } from "./data.ts";
import { DataError } from "./data-error.ts";

/** @returns the resources that the sandboxes of the services can have; others are only in the recorded answers */
export const dataSeenIn = async (
  calls: readonly RecordedCall[],
  services: readonly Service[],
): Promise<SandboxData> => {
  const data: Record<Service, Record<string, unknown>> = {};
  for (const service of services) {
    const { dataSeen } = await sandboxService(service);
    const seen = dataSeen?.(calls.filter((call) => call.service === service)) ?? {};
    if (Object.keys(seen).length > 0) data[service] = { ...seen };
  }
  for (;;) {
    try {
      return await checkedData(data, services);
    } catch (error) {
      if (!(error instanceof DataError) || !withoutItem(data, error.path)) throw error;
    }
  }
};

/** Removes the resource that is not valid. @returns whether there is one */
const withoutItem = (data: Record<Service, Record<string, unknown>>, path: DataError["path"]): boolean => {
  const [service = "", kind = "", index] = path;
  const items: unknown = data[service]?.[kind];
  if (!Array.isArray(items) || index === undefined) return false;
  (data[service] as Record<string, unknown>)[kind] = (items as Fields[]).toSpliced(Number(index), 1);
  return true;
};
