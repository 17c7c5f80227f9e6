/** The hosted pages of Connect, which a person normally goes through; tested on our own sandbox only. */
import { FULL, SIGN_IN } from "../../../fixtures/financial-data/hosted-links.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { type Exchange, isAccepted, statusOf, unbound } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Connect (hosted flows)");

const LINKED = ["flow.accounts-linked-through-hosted-flow", "customers.testing.test-drive-accounts"];
const MAILS = ["SendConnectEmail", "SendJointBorrowerConnectEmail"] as const;

export const hostedFlowScenarios = [
  scenario("hosted/linking", {
    title: "a testing customer has test-drive accounts after the flow",
    operations: [FULL, "GetCustomerAccounts"],
    requirements: LINKED,
    async run(t) {
      const { customerId } = await t.addCustomer("AddTestingCustomer");
      const { link, exchange } = await t.linkFor(FULL, customerId);
      await t.goThrough(link, [...SIGN_IN, "accounts"]);
      const isLinked = (exchange: Exchange): boolean =>
        isAccepted(exchange) && t.itemsIn(exchange).length > 0;
      const accounts = await t.readUntil(
        () => t.answerTo({ operationId: "GetCustomerAccounts", path: { customerId } }),
        isLinked,
      );
      t.assertAccepted(accounts);
      t.judgeThat(LINKED, isLinked(accounts), [accounts, exchange], {
        message: "the customer has no account after the flow",
        expected: "the chosen accounts",
        actual: `${statusOf(accounts)} without accounts of the customer`,
      });
    },
  }),

  scenario("hosted/lite", {
    title: "lite connect signs in and has no account management",
    operations: ["GenerateLiteConnectUrl"],
    requirements: ["GenerateLiteConnectUrl.limited-features", "GenerateLiteConnectUrl.no-account-management"],
    async run(t) {
      const customerId = await t.arrange.need("customer");
      const { link, exchange } = await t.linkFor("GenerateLiteConnectUrl", customerId);
      const page = await t.openPage(link);
      t.judgeThat("GenerateLiteConnectUrl.limited-features", page.step === "sign-in", [exchange], {
        message: "lite connect does not start with the sign-in step",
        expected: "sign-in",
        actual: page.step,
      });
      t.judgeThat("GenerateLiteConnectUrl.no-account-management", !page.managesAccounts, [exchange], {
        message: "lite connect offers to manage accounts",
        expected: "no account management",
        actual: "accounts to manage",
      });
    },
  }),

  scenario("hosted/fix", {
    title: "fix connect repairs a login whose challenge is due",
    operations: ["GenerateFixConnectUrl", "post-reconnections"],
    requirements: ["GenerateFixConnectUrl.use-cases"],
    async run(t) {
      const requirement = "GenerateFixConnectUrl.use-cases";
      const due = await t.situation("mfa-account", "an institution login that needs repair");
      const generated = await t.accepted("GenerateFixConnectUrl", due, { keeps: [requirement] });
      await t.goThrough(t.addressIn(generated), ["sign-in", "challenge"]);
      const repaired = await t.answered("post-reconnections", due);
      t.judgeThat(requirement, statusOf(repaired) === 201, [repaired, generated], {
        message: "the login still requires its challenge after the flow",
        expected: "201",
      });
    },
  }),

  ...MAILS.map((operationId) =>
    scenario(`hosted/${operationId}`, {
      title: `${operationId} sends the link by e-mail`,
      operations: [operationId],
      requirements: [`${operationId}.mails-link`],
      async run(t) {
        const exchange = await t.accepted(operationId);
        const mails = await t.mailsOf();
        const links = t.addressesIn(exchange);
        const isMailed = mails.some((mail) => links.includes(mail.link));
        if (!isMailed && t.ownAddressesIn(exchange).length === 0) throw unbound(operationId, "address");
        t.judgeThat(`${operationId}.mails-link`, isMailed, [exchange], {
          message: "no e-mail contains the link",
          expected: "an e-mail with the link",
          actual: `${mails.length} e-mails without it`,
        });
      },
    }),
  ),

  scenario("hosted/joint-borrower", {
    title: "both borrowers go through one session",
    operations: ["GenerateJointBorrowerConnectUrl"],
    requirements: ["jointBorrower.both-in-one-session"],
    async run(t) {
      const exchange = await t.accepted("GenerateJointBorrowerConnectUrl");
      const { page } = await t.goThrough(t.addressIn(exchange), [...SIGN_IN, "accounts"]);
      const isAsked = page?.turn === 2 && page.step === "institution";
      t.judgeThat("jointBorrower.both-in-one-session", isAsked, [exchange], {
        message: "the session does not continue with the second borrower after the first",
        expected: "the turn of the second borrower",
        actual: page?.step ?? "the session is over",
      });
    },
  }),

  scenario("hosted/two-amounts", {
    title: "micro-entry verification asks for two amounts",
    operations: ["VerifyMicroEntryMicrodeposit"],
    requirements: ["VerifyMicroEntryMicrodeposit.two-amounts"],
    async run(t) {
      const need = "an account whose micro deposits have arrived";
      const arrived = await t.situation("micro-deposits-arrived", need);
      const exchange = await t.accepted("VerifyMicroEntryMicrodeposit", arrived);
      const { inputs } = await t.openPage(t.addressIn(exchange));
      t.judgeThat("VerifyMicroEntryMicrodeposit.two-amounts", inputs.length === 2, [exchange], {
        message: "the page does not ask for two amounts",
        expected: "2",
        actual: `${inputs.length}`,
      });
    },
  }),
];
