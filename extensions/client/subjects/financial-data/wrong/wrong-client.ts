/** Makes wrong clients of financial data: each differs from the right one in one habit, or in what it does. */
import { url } from "../../habits.ts";
import type { WrongClient } from "../../setting.ts";
import { type Client, createClient, type Habits, RIGHT } from "../client.ts";
import * as scenes from "../scenes.ts";

/** What a client does. */
export type Scene = (client: Client) => Promise<unknown>;

export const wrong = (
  name: string,
  requirement: string,
  scene: Scene,
  exercises: readonly string[] = [],
  habits: Partial<Habits> = {},
): WrongClient => ({
  name,
  requirement,
  exercises,
  run: async (setting) => void (await scene(createClient(setting, { ...RIGHT, ...habits }))),
});

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
