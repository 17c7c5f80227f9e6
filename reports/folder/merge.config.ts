/** The test runner's configuration for merging shards; `merge.ts` uses it. */
import { defineConfig } from "@playwright/test";
import { commandName, loadedCode } from "../../helpers/contract/code.ts";
import { MERGE_OUT_VARIABLE } from "./merge.ts";
import { reportersOf } from "./reporters.ts";

const out = process.env[MERGE_OUT_VARIABLE];
if (!out) throw new Error(`This configuration merges shards: use ${commandName("merge")}.`);

export default defineConfig({ testDir: loadedCode("tests"), reporter: reportersOf({ out, of: "merge" }) });
