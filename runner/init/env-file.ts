/** Writes the settings of a target to `.env.NAME`, readable by this user only. */
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { parse } from "dotenv";
import { ConfigurationError } from "../../helpers/target/load-target.ts";

export interface SettingLine {
  readonly name: string;
  /** Absent for a setting that is left out; its line is a comment. */
  readonly value?: string;
  readonly comment: string;
}

/** @throws ConfigurationError when the file exists and may not be replaced, or a value can't be written */
export const writeEnvFile = (path: string, rows: readonly SettingLine[], mayReplace: boolean): void => {
  if (!mayReplace) refuseExisting(path);
  const text = rows
    .map(({ name, value, comment }) => {
      const line = value === undefined ? `# ${name}=` : `${name}=${quoted(name, value)}`;
      return `# ${comment}\n${line}\n`;
    })
    .join("");
  writeFileSync(path, text, { mode: 0o600, flag: mayReplace ? "w" : "wx" });
  // An existing file keeps its mode otherwise.
  chmodSync(path, 0o600);
};

/** @throws ConfigurationError */
export const refuseExisting = (path: string): void => {
  if (existsSync(path)) {
    throw new ConfigurationError(`${path} exists. Choose another name, or replace the file with --force.`);
  }
};

/** Quotes a value if it is read differently without quotes. */
const quoted = (name: string, value: string): string => {
  const forms = [value, `'${value}'`, `"${value}"`, `\`${value}\``];
  const form = forms.find((one) => parse(`${name}=${one}`)[name] === value);
  if (form !== undefined) return form;
  throw new ConfigurationError(`${name}: the value can't be written to a file. Set it in the environment.`);
};
