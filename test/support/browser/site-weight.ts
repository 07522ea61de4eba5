import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const BUILD = fileURLToPath(new URL('../../../admin-ui/dist', import.meta.url));

interface Chunk {
  readonly file: string;
  readonly name?: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

const manifest = () =>
  new Map(
    Object.entries(
      JSON.parse(readFileSync(path.join(BUILD, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>,
    ),
  );

const gzipped = (file: string): number => gzipSync(readFileSync(path.join(BUILD, file))).length;

const OVERVIEW = '_overview-';
const OVERLAYS = '_overlays-';
const SECTION = /^src\/features\/(?:[\w-]+\/)*([\w-]+)\/(?:[\w-]+-screen\.tsx|screens\.ts)$/;

export interface Weight {
  /** Paths of the loaded scripts and style sheets. */
  readonly files: readonly string[];
  /** Their size in bytes, gzipped. */
  readonly bytes: number;
}

/**
 * What the built admin site loads, from the manifest of its build: until the frame is shown (`first`), until a screen
 * of each section is usable (`shown`), and with the overlays and menus that load afterwards (`settled`). Fonts are not
 * counted.
 */
export const siteWeight = () => {
  const chunks = manifest();
  // One sheet, which index.html names.
  const styles = globSync('assets/*.css', { cwd: BUILD });
  const collect = (keys: readonly string[], found: Set<string>): Set<string> => {
    for (const key of keys) {
      const chunk = chunks.get(key);
      if (chunk === undefined) throw new Error(`The build has no ${key}.`);
      if (found.has(key)) continue;
      found.add(key);
      collect(chunk.imports ?? [], found);
    }
    return found;
  };
  const weigh = (keys: Set<string>): Weight => {
    const loaded = [...keys].flatMap((key) => chunks.get(key) ?? []);
    const files = [...new Set([...styles, ...loaded.map(({ file }) => file)])];
    return { files, bytes: files.reduce((sum, file) => sum + gzipped(file), 0) };
  };
  const main = [...chunks.keys()].filter((key) => chunks.get(key)?.name === 'main' && key.endsWith('.js'));
  // The first file loads the app, and nothing else, by need.
  const app = main.flatMap((key) => chunks.get(key)?.dynamicImports ?? []);
  const first = collect([...main, ...app], new Set());
  const overlays = [...chunks.keys()].filter((key) => key.startsWith(OVERLAYS));
  const sectionOf = (key: string) => (key.startsWith(OVERVIEW) ? 'overview' : SECTION.exec(key)?.[1]);
  const sections = [...chunks.keys()].flatMap((key) => {
    const name = sectionOf(key);
    if (name === undefined) return [];
    const shown = collect([key], new Set(first));
    const settled = collect(overlays, new Set(shown));
    return [{ name, shown: weigh(shown), settled: weigh(settled) }];
  });
  return { first: weigh(first), sections };
};
