/** Writes the files in `schemas/` that help to write a situations file. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { situationRows } from "../../helpers/situations/catalogue.ts";
import { situationsSchema } from "../../helpers/situations/schema.ts";
import { situationsTemplate } from "../../reports/render/situations-template.ts";

/** @returns the paths of the files */
export const writeSituationFiles = (): string[] => {
  const rows = situationRows();
  const files = {
    "situations.schema.json": `${JSON.stringify(situationsSchema(rows), null, 2)}\n`,
    "situations.template.yaml": situationsTemplate(rows),
  };
  return Object.entries(files).map(([name, content]) => {
    const path = fileURLToPath(new URL(`../../schemas/${name}`, import.meta.url));
    writeFileSync(path, content);
    return path;
  });
};
