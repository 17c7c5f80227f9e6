/** Media types of a body, and the schema of each. */
import type { Content } from "../document/model.ts";
import { actionOf, namesOf } from "./effect.ts";
import { compareLater, type Site, tell } from "./found.ts";

const RULES = { body: "request.mediaType", "response body": "response.mediaType" } as const;

export const compareContent = (site: Site, place: keyof typeof RULES, old: Content, fresh: Content): void => {
  const isAlone = Object.keys(fresh).length === 1;
  for (const mediaType of namesOf(old, fresh)) {
    const part = isAlone && mediaType in fresh ? site.part : `${site.part} ${mediaType}`.trim();
    if (mediaType in old && mediaType in fresh)
      compareLater({ ...site, part }, { place, mediaType }, old[mediaType], fresh[mediaType]);
    else
      tell(site, {
        rule: RULES[place],
        action: actionOf(old[mediaType], fresh[mediaType]),
        place: "media type",
        drafts: [{ mediaType }],
        subject: mediaType,
      });
  }
};
