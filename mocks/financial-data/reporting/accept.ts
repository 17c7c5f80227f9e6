/** Which representation of a report the Accept header selects (RFC 9110, 12.5.1). */
import type { Call } from "../faults.ts";

/** JSON wherever the header prefers neither it nor a PDF. */
export const asksForPdf = ({ headers, bent, operation }: Call): boolean => {
  const { operationId } = operation;
  const weights = weightsIn(headers.accept);
  const json = weights.get("application/json") ?? 0;
  const pdf = weights.get("application/pdf") ?? 0;
  if (pdf > json) return !bent(`reports-pdf-as-json-${operationId}`);
  if (json > 0) return bent(`reports-json-as-pdf-${operationId}`);
  return bent(`reports-pdf-by-default-${operationId}`);
};

/** By media type, without wildcards: those prefer nothing. */
const weightsIn = (accept: string | string[] | undefined): Map<string, number> =>
  new Map(
    [accept ?? []]
      .flat()
      .join(",")
      .split(",")
      .map((range): [string, number] => {
        const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
        const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
        return [type, quality === undefined ? 1 : Number(quality) || 0];
      }),
  );
