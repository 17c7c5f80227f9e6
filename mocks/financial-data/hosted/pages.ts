/** The pages of hosted sessions. People open them in a browser; a test can request them directly. */
import type { Answer } from "../../engine/call.ts";
import type { HostedPage } from "../section.ts";
import type { State } from "../state/state.ts";
import { addressOf, type Session, sessions } from "./sessions.ts";
import { enter } from "./steps.ts";
import { pageOf } from "./view.ts";

const PATH = "/hosted/connect/{sessionId}";

export const connectPages: readonly HostedPage[] = [
  {
    name: "connect",
    method: "GET",
    path: PATH,
    handler: (state, { path, query, faulty }) => {
      const session = sessionAt(state, path.sessionId);
      return session === undefined ? GONE : shown(pageOf(state, session, String(query.search ?? ""), faulty));
    },
  },
  {
    name: "connect-entry",
    method: "POST",
    path: PATH,
    handler: (state, visit) => {
      const session = sessionAt(state, visit.path.sessionId);
      if (session === undefined) return GONE;
      enter(state, session, visit);
      const ended = session.step === "done" && session.redirectUri !== undefined;
      if (session.step === "done" && session.singleUse) sessions(state).delete(session.id);
      if (ended && visit.faulty("connect-no-redirect"))
        return shown(pageOf(state, session, "", visit.faulty));
      return { status: 303, headers: { location: ended ? returnTo(session) : addressOf(state, session) } };
    },
  },
];

const sessionAt = (state: State, id: string | undefined): Session | undefined =>
  sessions(state).get(id ?? "");

const shown = (content: string): Answer => ({
  status: 200,
  headers: { "cache-control": "no-store" },
  raw: { content, contentType: "text/html; charset=utf-8" },
});

const GONE: Answer = {
  status: 404,
  raw: {
    content: "<!doctype html><title>Gone</title><p>This link was already used or never existed.</p>\n",
    contentType: "text/html; charset=utf-8",
  },
};

const returnTo = ({ redirectUri = "", id }: Session): string => {
  const address = new URL(redirectUri);
  address.searchParams.set("code", "200");
  address.searchParams.set("reason", "complete");
  address.searchParams.set("session", id);
  return address.toString();
};
