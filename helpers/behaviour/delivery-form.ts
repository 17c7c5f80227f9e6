/** The normal form of a delivery: its method, the names of its query parameters, and the places of its fields. */
import type { Delivery } from "../flows/delivery.ts";

export const deliveryForm = ({ method, path, json }: Delivery): string => {
  const query = [...new URL(path, "http://receiver.test").searchParams.keys()];
  const names = [...new Set([...query, ...placesIn(json)])].sort();
  return [method, ...(names.length === 0 ? [] : [`with ${names.join(", ")}`])].join(" ");
};

/** The depth to which fields are listed. Deeper fields belong to a resource. */
const DEEPEST = 2;

const placesIn = (value: unknown, depth = 1): string[] => {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.length === 0 ? [] : placesIn(value[0], depth);
  return Object.entries(value).flatMap(([name, inside]) => {
    const inner = depth < DEEPEST ? placesIn(inside, depth + 1) : [];
    return inner.length === 0 ? [name] : inner.map((place) => `${name}.${place}`);
  });
};
