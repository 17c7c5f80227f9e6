/** The trials of services without code, which an extension gives. */
import type { Contract } from "../../helpers/contract/contract.ts";
import { givenPart, missing } from "../../helpers/contract/extension.ts";
import type { Trial } from "../../helpers/trials/trial.ts";

const given = await givenPart<{ trials(contract: Contract): Trial[] }>("trials");
if (given === undefined) throw missing("The trials of a service without code");

export const { trials } = given;
