/** Finds folders that import each other in a circle. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { ROOT, SELF_TESTS } from "./files.ts";

const IMPORT = /(?:from |import\()"(\.[^"]+\.[cm]?ts)"/g;

/**
 * Returns each circle as the folders that it joins. A file whose folder contains further folders counts by itself.
 * @param paths the files of the checkout, from its root
 */
export const circlesBetweenFolders = (paths: readonly string[]): string[][] => {
  const sources = paths.filter((path) => path.endsWith(".ts") && !SELF_TESTS.test(path));
  const rooms = roomsOf(sources);
  const imports = new Map<string, Set<string>>();
  for (const path of sources) {
    const from = rooms(path);
    const known = imports.get(from) ?? new Set();
    imports.set(from, known);
    for (const [, target = ""] of readFileSync(join(ROOT, path), "utf8").matchAll(IMPORT)) {
      const to = rooms(join(dirname(path), target));
      if (to !== from) known.add(to);
    }
  }
  return circlesOf(imports);
};

const roomsOf = (sources: readonly string[]): ((path: string) => string) => {
  const parents = new Set(sources.map((path) => dirname(dirname(path))));
  return (path) => (parents.has(dirname(path)) ? path : dirname(path));
};

/** Returns the strongly connected components with more than one member (Tarjan). */
const circlesOf = (graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] => {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    open.push(node);
    let low = index;
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? low);
    }
    lowest.set(node, low);
    if (low === index) {
      const circle = open.splice(open.indexOf(node));
      if (circle.length > 1) circles.push(circle);
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
};
