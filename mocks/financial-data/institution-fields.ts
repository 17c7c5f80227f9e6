/** Builds the fields of an institution and the images of its brand. */
import type { Fields } from "../engine/values/fields.ts";
import type { HostedPage } from "./section.ts";
import type { Institution } from "./state/institutions.ts";
import type { State } from "./state/state.ts";

/** Returns which product types the institution supports. */
export const productsOf = ({ reach, oauth, id }: Institution): Readonly<Record<string, boolean>> => {
  const all = reach !== "live" || oauth;
  return {
    transAgg: true,
    ach: all || id % 2 === 0,
    stateAgg: all || id % 3 === 0,
    voi: all || id % 2 === 1,
    voa: true,
    aha: all || id % 3 === 1,
    availBalance: true,
    accountOwner: all || id % 4 !== 0,
    studentLoanData: all,
    loanPaymentDetails: all || id % 2 === 0,
  };
};

export const fieldsOf = (state: State, institution: Institution): Fields => {
  const { id, name, oauth, country, branded, oauthTwin } = institution;
  const site = `https://${name.toLowerCase().replace(/[^a-z]+/g, "-")}.example.com`;
  return {
    id,
    name,
    ...productsOf(institution),
    oauthEnabled: oauth,
    currency: country === "ca" ? "CAD" : "USD",
    status: "online",
    urlHomeApp: site,
    urlLogonApp: `${site}/sign-in`,
    phone: "8015550100",
    accountTypeDescription: "Banking",
    ...(oauthTwin !== undefined && { newInstitutionId: oauthTwin, oauthInstitutionId: oauthTwin }),
    ...(branded && { branding: brandingOf(state, institution) }),
  };
};

export const PICTURES = ["logo", "alternateLogo", "icon", "tile"];

export const brandingOf = (state: State, institution: Institution): Record<string, string> => ({
  ...Object.fromEntries(
    PICTURES.map((picture) => [
      picture,
      `${state.baseUrl()}/hosted/branding/${institution.id}/${picture}.svg`,
    ]),
  ),
  primaryColor: colorOf(institution),
});

const COLORS = ["#1b5e20", "#0d47a1", "#4a148c", "#bf360c", "#006064"];

const colorOf = ({ id }: Institution): string => COLORS[id % COLORS.length] as string;

export const brandingPage: HostedPage = {
  name: "branding",
  method: "GET",
  path: "/hosted/branding/{institutionId}/{picture}",
  handler: (state, { path }) => {
    const institution = state.institutions.find(path.institutionId ?? "");
    if (institution?.branded !== true) return { status: 404, json: { message: "There is no such picture." } };
    return { status: 200, raw: { content: pictureOf(institution), contentType: "image/svg+xml" } };
  },
};

const pictureOf = (institution: Institution): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" rx="6" fill="${colorOf(
    institution,
  )}"/><text x="60" y="25" font-family="sans-serif" font-size="14" fill="#fff" text-anchor="middle">${institution.name
    .split(" ")
    .map((word) => word.charAt(0))
    .join("")}</text></svg>\n`;
