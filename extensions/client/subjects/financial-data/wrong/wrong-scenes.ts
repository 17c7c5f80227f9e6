/** Scenes of wrong clients of financial data, and what changes their requests. */
import { type Scene as SceneOf, url } from "../../habits.ts";
import type { Client, Habits } from "../client.ts";
import * as scenes from "../scenes.ts";

export type Scene = SceneOf<Client>;

/** Adds a query to the reads of institutions. */
export const query = (text: string): Habits["request"] =>
  url((asked) => (asked.includes("/institution/") ? `${asked}?${text}` : asked));

export const browsing =
  (times: number): Scene =>
  (one) =>
    scenes.browse(one, times);

/** Sends a request several times. */
export const again =
  (times: number, send: (own: Client, time: number) => Promise<unknown>): Scene =>
  async (own) => {
    for (let time = 0; time < times; time += 1) await send(own, time);
  };

/** Sends one request. */
export const oneRequest =
  (method: string, path: string, body?: unknown): Scene =>
  (own) =>
    own.call(method, path, body === undefined ? {} : { body });
