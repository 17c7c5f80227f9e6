/** Starts a server from the registry that serves its own OpenAPI document: the admin API of Mocks Server. */
const Core = require("@mocks-server/core");
const AdminApi = require("@mocks-server/plugin-admin-api");

const [own, admin] = process.argv.slice(2).map(Number);
const core = new (Core.default ?? Core)({
  config: { readFile: false, readArguments: false, readEnvironment: false },
  plugins: { register: [AdminApi.default ?? AdminApi], adminApi: { port: admin, host: "127.0.0.1" } },
  server: { port: own, host: "127.0.0.1" },
  files: { enabled: false },
  log: "silent",
});

const start = async () => {
  await core.init();
  const { loadRoutes, loadCollections } = core.mock.createLoaders();
  const all = { id: "all", type: "json", options: { status: 200, body: [] } };
  loadRoutes([{ id: "tools", url: "/tools", method: "GET", variants: [all] }]);
  loadCollections([{ id: "base", routes: ["tools:all"] }]);
  await core.start();
  process.stdout.write("ready\n");
};

void start();
