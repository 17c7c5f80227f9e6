/** A misspelt key, value or name in a file of a service is refused with its line and the nearest name. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { loadContract } from "../../../helpers/contract/load.ts";
import { schemasFolder } from "../../../helpers/contract/services.ts";
import { temporary } from "../support/command.ts";

/** For each file: a text, what a user writes there instead, the mistake in it, and what was meant. */
const MISTAKES: Readonly<Record<string, readonly string[]>> = {
  "installments/requirements.yaml": [
    "level: assumed | level: asumed | asumed | assumed",
    "subject: service | subjectt: service | subjectt | subject",
    "observable: needs-setup | observble: needs-setup | observble | observable",
    "kind: lifecycle | kind: lifecicle | lifecicle | lifecycle",
    "hazards: [destructive] | hazards: [destructiv] | destructiv | destructive",
    "id: installments.base-address | id: base-address | base-address | installments.base-address",
    "operations: [getPlan] | operations: [getPlann] | getPlann | getPlan",
    "rests-on: [planApproval /status, | rests-on: [planApproval /statuz, | planApproval /statuz | planApproval /status",
    "rests-on: [getPlan /trans | rests-on: [getPlann /trans | getPlann /transaction/amount | getPlan /transaction/amount",
  ],
  "installments/relations.yaml": [
    "kind: apart | kind: appart | appart | apart",
    "kind: apart | kind: filtr | filtr | filter",
    "requirement: sequences.plans-apart | requirement: sequences.plan-apart | sequences.plan-apart | sequences.plans-apart",
    "operations: [planApproval] | operations: [getMerchantParticipationz] | getMerchantParticipationz | getMerchantParticipations",
    "parameter: planId | parameter: planIdd | planIdd | planId",
    "- kind: apart | FILTER parameter: request_idd, shows: [status] } | request_idd | request_id",
    "- kind: apart | FILTER parameter: request_id, showz: [mid] } | showz | shows",
    "- kind: apart | FILTER parameter: request_id, shows: [statuz] } | statuz | status",
    "- kind: apart | FILTER parameter: request_id, shows: [status], gap: status code } | status code | status codes",
    "- kind: apart | FILTER parameter: request_id, shows: [status], beside: [plam] } | plam | plan",
    "- kind: apart | FILTER parameter: request_id, shows: [status], situation: issuer } | issuer | issuer-endpoint",
  ],
  "installments/gaps.yaml": [
    "type: ambiguous | type: ambigous | ambigous | ambiguous",
    "note: Check | notes: Check | notes | note",
  ],
  "installments/observations.yaml": [
    "gap: status codes | gap: status code | status code | status codes",
    "from: answers | from: answer | answer | answers",
    "match: ^postOffers | match: ^postOfers | ^postOfers offers/ | postOffers",
    "what: the creation | waht: the creation | waht | what",
  ],
  "installments/situations.yaml": ["act: true | acts: true | acts | act"],
  "installments/caller.yaml": [
    "level: documented | level: document | document | documented",
    "operations: [postPlans] | operations: [postPlan] | postPlan | postPlans",
  ],
  "installments/listener.yaml": ["subject: listener | subject: listner | listner | listener"],
  "installments/service.yaml": [
    "deliveries: | deliverys: | deliverys | deliveries",
    "issuer: INSTALLMENTS_ISSUER_URL | issuer: INSTALLMENTS_ISSUER | INSTALLMENTS_ISSUER | INSTALLMENTS_ISSUER_URL",
  ],
  "installments/requirement-sets/2.1.0.yaml": ["requirements: | requirement: | requirement | requirements"],
  "installments/openapi.yaml": [
    "x-level: assumed | x-levl: assumed | x-levl | x-level",
    "x-leaves: plan | x-leave: plan | x-leave | x-leaves",
    "x-deliveries: PlanNotification | x-deliveries: PlanNotificaton | PlanNotificaton | PlanNotification",
    "x-configuration: INSTALLMENTS_AUTHORIZATION | x-configuration: INSTALLMENTS_AUTH | INSTALLMENTS_AUTH | INSTALLMENTS_AUTHORIZATION",
    "- partner: [] | - partners: [] | partners | partner",
    "schemas/ErrorWrapper | schemas/ErrorWraper | #/components/schemas/ErrorWraper | #/components/schemas/ErrorWrapper",
    "x-leaves: plan | x-needs: [pan-lst] | pan-lst | pan-list",
  ],
  "card-enrollment/openapi.yaml": [
    "x-requirements: { required: | x-requirments: { required: | x-requirments | x-requirements",
    "x-requirements: { pattern: format } | x-requirements: { patern: format } | patern | pattern",
    "x-data: first-name | x-data: frist-name | frist-name | first-name",
    "x-encrypts: Card | x-encrypts: Cards | Cards | Card",
  ],
  "financial-data/paths/customers.yaml": [
    "x-list: { items: /customers | x-list: { items: /customerz | /customerz | /customers",
    "x-paging: { start: start | x-paging: { start: strat | strat | start",
    "customer, pointer: /id } | customer, pointer: /idd } | /idd | /id",
  ],
  "financial-data/service.yaml": [
    "situation: linked-customer | situation: linked-custmer | linked-custmer | linked-customer",
    "resource: routing-number | resource: routing-nmber | routing-nmber | routing-number",
  ],
};

/** A row of relations that needs more keys. */
const FILTER =
  "- { kind: filter, requirement: sequences.plans-apart, operations: [getMerchantParticipations],";

for (const [file, mistakes] of Object.entries(MISTAKES)) {
  const [service = "", ...path] = file.split("/");
  for (const mistake of mistakes) {
    const [right = "", wrong = "", name, meant] = mistake.split(" | ");
    test(`${name} in ${file} is refused`, async () => {
      const folder = join(await temporary(), service);
      cpSync(schemasFolder(service), folder, { recursive: true });
      const text = readFileSync(join(folder, ...path), "utf8");
      const line = text.slice(0, text.indexOf(right)).split("\n").length;
      const written = wrong.startsWith("FILTER") ? `${wrong.replace("FILTER", FILTER)}\n${right}` : wrong;
      writeFileSync(join(folder, ...path), text.replace(right, written));
      const loaded = loadContract(service, { folder }).then(() => "loaded");
      const message = await loaded.catch((error: Error) => error.message);
      expect([text, message]).toEqual([
        expect.stringContaining(right),
        expect.stringContaining(`${file}:${line}:`),
      ]);
      expect(message.split(`"${name}". Did you mean `)[1]?.split(/ or |\?/)).toContain(meant);
    });
  }
}
