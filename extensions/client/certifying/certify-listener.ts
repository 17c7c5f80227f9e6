/** Runs `certify --listener`. */
import { commandWith } from "../../../helpers/contract/code.ts";
import { loadContract } from "../../../helpers/contract/load.ts";
import { filledAddress, shownAddress } from "../../../helpers/exchange/shown-address.ts";
import { ConfigurationError } from "../../../helpers/target/load-target.ts";
import { print } from "../../../reports/print.ts";
import { type BaselineOptions, conclude } from "../../../runner/command/baseline-options.ts";
import { certifyTraffic, claimResults } from "./certify.ts";
import { effectOf, kindNamed, tryListeners } from "./listen.ts";

const TIME_LIMIT_MS = 30_000;

/** @returns the exit code @throws ConfigurationError for an unusable flag */
export const certifyListener = async (
  listener: readonly string[],
  flags: {
    readonly kind?: string;
    readonly effect?: string;
    readonly out: string;
    readonly baseline: BaselineOptions;
  },
): Promise<number> => {
  const { kind: name, effect, out, baseline } = flags;
  const shown = listener.map(shownAddress).join(",");
  const urls = listener.map((url) => filledAddress("--listener", url));
  const wrong = urls.find((url) => !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol));
  if (wrong !== undefined)
    throw new ConfigurationError(`--listener: "${shownAddress(wrong)}" is not an http or https URL.`);
  if (name === undefined)
    throw new ConfigurationError("--listener needs --kind: what the listener receives.");
  const kind = await kindNamed(name);
  const startedAt = new Date();
  claimResults(out, baseline, "listener");
  const { contract, results, ended } = await tryListeners({
    kind,
    contract: await loadContract(kind.service),
    urls,
    timeLimitMs: TIME_LIMIT_MS,
    ...(effect !== undefined && { effect: effectOf(effect) }),
  });
  const { summary } = certifyTraffic({
    half: "listener",
    target: {
      name: `${name} listener`,
      embedded: false,
      baseUrls: { [kind.service]: shown.replaceAll(",", ", ") },
    },
    contracts: [contract],
    results,
    problems: ended.map((url) => `The listener at ${shownAddress(url)} no longer answers.`),
    startedAt,
    out,
    again: commandWith("certify", "--listener", shown, "--kind", name),
    accepted: baseline.accepted,
  });
  print(summary);
  return conclude(out, baseline);
};
