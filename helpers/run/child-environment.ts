/** The environment that processes which a command starts inherit: without what configures its target. */
import { configuration } from "../target/names.ts";

/** The target's credentials are for the command alone: who needs them gets them with the plan of the run. */
export const childEnvironment = (): NodeJS.ProcessEnv => {
  const configured = new Set(configuration().map(({ name }) => name));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !configured.has(name)));
};
