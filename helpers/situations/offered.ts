/** The capabilities that an offer gives a target. */
import { because } from "../reasons/reason.ts";
import type { Capabilities, Capability, Mail, UsedItem } from "../target/capabilities.ts";
import type { Target } from "../target/target.ts";
import { NotTried, TargetLost } from "../trials/stopped.ts";
import { runHook } from "./hooks.ts";
import { fits, type Hook, isHook, type Known, type Offer, type Parameters, type Way } from "./offer.ts";
import { type Take, takingAlone } from "./take.ts";

export const offered = (offer: Offer, take: Take = takingAlone()): Capabilities => {
  const { situations, clock, mail, capabilities = [] } = offer;
  const linking = offer["linked-accounts"];
  const own = new Set<Capability>([
    ...capabilities,
    ...(clock === undefined ? [] : (["clock"] as const)),
    ...(linking === undefined ? [] : (["linked-accounts"] as const)),
    ...(Object.keys(situations).length === 0 ? [] : (["situations"] as const)),
  ]);
  const waysTo = (situation: string, parameters: Parameters): readonly Way[] =>
    (situations[situation] ?? []).filter((way) => fits(way, parameters));
  const used = new Map<string, UsedItem>();
  return {
    has: (capability) => own.has(capability),
    offers: (situation, parameters = {}) => waysTo(situation, parameters).length > 0,
    async arrange(situation, parameters = {}) {
      const ways = waysTo(situation, parameters);
      const hook = ways.find((one) => isHook(one));
      const way = hook ?? (await known(situation, ways.filter(isKnown), parameters, take));
      const ids = isKnown(way)
        ? way.ids
        : idsIn(situation, await runHook(way, `the situation ${situation}`, { situation, parameters }));
      for (const id of Object.values(ids)) if (way.once && !way.untouched) used.set(id, way.once);
      return ids;
    },
    mayBeUsed: (id) => used.get(id),
    ...(linking && {
      linkAccounts: async (customerId) => void (await runHook(linking, "linked accounts", { customerId })),
    }),
    ...(clock && {
      advanceClock: async (seconds) => void (await runHook(clock, "the clock", { advance: seconds })),
    }),
    ...(mail && { mails: () => mailsOf(mail) }),
  };
};

const isKnown = (way: Way): way is Way & Known => !isHook(way);

/** @throws NotTried when all items of a situation that can be used once are used */
const known = async (
  situation: string,
  ways: readonly (Way & Known)[],
  parameters: Parameters,
  take: Take,
): Promise<Way & Known> => {
  const isOnce = ways.some(({ once }) => once);
  const position = isOnce ? await take(`${situation} ${JSON.stringify(parameters)}`) : 0;
  const way = ways[position];
  if (way !== undefined) return way;
  throw new NotTried(
    ways.length === 0
      ? because("lacks-situation", `the situation ${situation}`, situation)
      : because("situations-used", situation, ways.length),
  );
};

/** @throws TargetLost when the answer has no identifiers */
const idsIn = (situation: string, answer: unknown): Readonly<Record<string, string>> => {
  const { ids = {} } = (answer ?? {}) as { readonly ids?: unknown };
  if (typeof ids !== "object" || ids === null || Array.isArray(ids))
    throw new TargetLost("hook-failed", `the situation ${situation}`, 'write {"ids": {name: value}}');
  return Object.fromEntries(Object.entries(ids).map(([name, value]) => [name, String(value)]));
};

const mailsOf = async (mail: Hook): Promise<readonly Mail[]> => {
  const mails = await runHook(mail, "mail", {});
  if (Array.isArray(mails)) return mails as Mail[];
  throw new TargetLost("hook-failed", "mail", 'write [{"to": address, "link": URL}]');
};

/**
 * Adds what the user's situations file offers, if SITUATIONS names one.
 * @throws ConfigurationError with file and line
 */
export const withSituations = async (
  capabilities: Capabilities,
  { values }: Pick<Target, "values">,
  take?: Take,
): Promise<Capabilities> => {
  if (values.SITUATIONS === undefined) return capabilities;
  // Most runs have no situations file.
  const { readSituations } = await import("./file.ts");
  return together(offered(readSituations(values.SITUATIONS), take), capabilities);
};

/** Returns the capabilities of two offers of one target. The first has precedence. */
export const together = (first: Capabilities, second: Capabilities): Capabilities => ({
  ...second,
  ...first,
  has: (capability) => first.has(capability) || second.has(capability),
  offers: (...about) => first.offers(...about) || second.offers(...about),
  arrange: (...about) => (first.offers(...about) ? first : second).arrange(...about),
});

/** Returns those capabilities of a sandbox that an offer gives another target. */
export const asFarAsOffered = (offer: Offer, sandbox: Capabilities): Capabilities => {
  const { has, offers } = offered(offer);
  const { arrange, linkAccounts, advanceClock, mails } = sandbox;
  return {
    has,
    offers,
    arrange,
    ...(offer["linked-accounts"] && linkAccounts && { linkAccounts }),
    ...(offer.clock && advanceClock && { advanceClock }),
    ...(offer.mail && mails && { mails }),
  };
};
