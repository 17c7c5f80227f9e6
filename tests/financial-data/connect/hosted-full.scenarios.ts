/** The effect of the body of full connect on its pages: language, experience, and prefilled fields. */
import { FULL, SIGN_IN } from "../../../fixtures/financial-data/hosted-links.ts";
import { scenariosIn } from "../../../fixtures/financial-data/trial.ts";
import { isAccepted, NotTried, withFields } from "../../../helpers/trials/kit/language.ts";

const scenario = scenariosIn("Connect (hosted flows)");

const LANGUAGES = [
  { requirement: "GenerateConnectUrl.language-default-english", language: undefined, tag: "en" },
  { requirement: "GenerateConnectUrl.language-spanish-us", language: "es", tag: "es-US" },
  { requirement: "GenerateConnectUrl.language-french-ca", language: "fr", tag: "fr-CA" },
] as const;

export const hostedFullScenarios = [
  ...LANGUAGES.map(({ requirement, language, tag }) =>
    scenario(`hosted/language-${tag}`, {
      title: `the flow is in the language ${tag}`,
      operations: [FULL],
      requirements: [requirement],
      async run(t) {
        const customerId = await t.arrange.need("customer");
        const { link, exchange } = await t.linkFor(FULL, customerId, { language }, [requirement]);
        const page = await t.openPage(link);
        const isHad = page.language === tag || (language === undefined && /^en\b/.test(page.language));
        t.judgeThat(requirement, isHad, [exchange], {
          message: "the flow is in another language",
          expected: tag,
          actual: page.language,
        });
      },
    }),
  ),

  scenario("hosted/experience", {
    title: "an experience determines the appearance of the flow",
    operations: [FULL],
    requirements: ["GenerateConnectUrl.experience-contents"],
    async run(t) {
      const requirement = "GenerateConnectUrl.experience-contents";
      const experience = await t.arrange.need("experience");
      const customerId = await t.arrange.need("customer");
      const call = await t.callForLink(FULL, customerId, { experience });
      const exchange = await t.answerTo(call);
      const control = await t.answerTo(withFields(call, { experience: undefined }));
      if (isAccepted(exchange) || !isAccepted(control)) {
        throw new NotTried(
          "lacks",
          "an experience whose brand, color, logo and icon are known: no response contains them",
        );
      }
      t.judgeThat(requirement, false, [exchange, control], {
        message: "an experience that the service lists was refused",
        expected: "accepted, like the same call without it",
      });
    },
  }),

  scenario("hosted/ssn", {
    title: "an SSN in the body is prefilled in the payroll step",
    operations: [FULL],
    requirements: ["GenerateConnectUrl.ssn-prefill"],
    async run(t) {
      const requirement = "GenerateConnectUrl.ssn-prefill";
      const ssn = "999601234";
      const { customerId } = await t.addCustomer("AddTestingCustomer");
      const info = { optionalConsumerInfo: { ssn } };
      const { link, exchange } = await t.linkFor(FULL, customerId, info, [requirement]);
      const { page } = await t.goThrough(link, SIGN_IN);
      t.judgeThat(requirement, page?.inputs.some(({ value }) => value === ssn) === true, [exchange], {
        message: "the payroll step is not prefilled with the SSN of the body",
        expected: "the SSN",
        actual: "an empty field",
      });
    },
  }),
];
