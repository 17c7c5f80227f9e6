/** The recording proxy against hostile clients. */
import { loadContract } from "../../../helpers/contract/load.ts";
import { targetOf } from "../../../helpers/target/load-target.ts";
import { startSandbox } from "../../../mocks/engine/server.ts";
import { attack } from "../../../tests/self/hostile/attacks.ts";
import { openRecording } from "../proxy/recording.ts";

attack("proxy", async () => {
  const contracts = [await loadContract("financial-data")];
  const sandbox = await startSandbox({ contracts });
  const base = sandbox.baseUrls["financial-data"] ?? "";
  const target = targetOf("test", { FINANCIAL_DATA_BASE_URL: base }, false);
  const recording = await openRecording({ target, contracts, port: 0 });
  return {
    url: `${recording.proxy.baseUrls["financial-data"]}/institution/v2/institutions`,
    status: 401,
    close: async () => {
      await recording.end({});
      await sandbox.close();
    },
  };
});
