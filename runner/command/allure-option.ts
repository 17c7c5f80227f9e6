/** The key `allure`: the renderer is an optional package. */
import type { Command } from "commander";
import { ConfigurationError } from "../../helpers/target/load-target.ts";

const NEEDED = ["allure", "allure-playwright"];

/**
 * Returns whether to make an Allure report. Without the packages, the default of CI is no.
 * @throws ConfigurationError when the user asks for it and a package is missing
 */
export const wantsAllure = (command: Command): boolean => {
  if (!command.getOptionValue("allure")) return false;
  const missing = NEEDED.filter((name) => !isInstalled(name));
  if (missing.length === 0) return true;
  if (command.getOptionValueSource("allure") === "default") return false;
  throw new ConfigurationError(
    `allure needs packages that are not installed: npm install --save-dev ${missing.join(" ")}`,
  );
};

const isInstalled = (name: string): boolean => {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
};
