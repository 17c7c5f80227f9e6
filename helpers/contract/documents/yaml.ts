/** Loads the YAML library only when it is needed: most commands find contracts and services in the cache. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const yaml = (): typeof import("yaml") => require("yaml") as typeof import("yaml");
