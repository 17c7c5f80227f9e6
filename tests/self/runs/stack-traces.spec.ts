/** The stack traces of compiled code name the sources. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { build } from "esbuild";
import { ROOT } from "../support/command.ts";

const SOURCE = `interface Wrong {
  readonly about: string;
}

export const fail = ({ about }: Wrong): never => {
  throw new TypeError(about);
};

fail({ about: "wrong" });
`;

const MAPS = pathToFileURL(join(ROOT, "helpers", "trials", "source-maps.ts")).href;

const tracesOf = async (file: string): Promise<string> => {
  const script = `import { showSources } from ${JSON.stringify(MAPS)};
showSources();
import(${JSON.stringify(file)}).catch((error) => console.log(error.stack));`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", script];
  return (await promisify(execFile)(process.execPath, args, { cwd: ROOT })).stdout;
};

test("a trace has the lines and columns of the source, or of the compiled file if there is no map", async () => {
  const source = test.info().outputPath("wrong.ts");
  await writeFile(source, SOURCE);
  for (const sourcemap of ["external", false] as const) {
    const outfile = test.info().outputPath(`${sourcemap}.js`);
    await writeFile(test.info().outputPath("package.json"), '{"type":"module"}');
    await build({ entryPoints: [source], outfile, sourcemap, minify: true, format: "esm" });
    const traces = await tracesOf(outfile);
    expect(traces).toMatch(/^TypeError: wrong\n/);
    if (sourcemap === "external") expect(traces).toContain(`${source}:6:9`);
    else expect(traces).toContain(`${outfile}:1:`);
  }
});
