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

const ON_EVERY_SCREEN = ['src/app/shell/overlays.tsx'];
const SECTION = /^src\/features\/(?:[\w-]+\/)*([\w-]+)\/(?:[\w-]+-screen\.tsx|screens\.ts)$/;

export interface Weight {
  /** Paths of the loaded scripts and style sheets. */
  readonly files: readonly string[];
  /** Their size in bytes, gzipped. */
  readonly bytes: number;
}

/**
 * What the built admin site loads, from the manifest of its build: until the frame is shown (`first`), until a screen
 * of each section is shown with the overlays and menus (`shown`), and with everything that its files may load by need, such as editors,
 * charts and reviews (`whole`). Fonts are not counted.
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
  const frame = collect(ON_EVERY_SCREEN, new Set(first));
  const sections = [...chunks.keys()]
    .flatMap((key) => ({ key, name: SECTION.exec(key)?.[1] ?? '' }))
    .filter(({ name }) => name !== '')
    .map(({ key, name }) => {
      const shown = collect([key], new Set(frame));
      const needed = [...shown].filter((one) => !first.has(one));
      const parts = needed.flatMap((one) => chunks.get(one)?.dynamicImports ?? []);
      return { name, shown: weigh(shown), whole: weigh(collect(parts, new Set(shown))) };
    });
  return { first: weigh(first), sections };
};

if (import.meta.main) {
  const kb = ({ bytes, files }: Weight) => `${(bytes / 1000).toFixed(1)} KB in ${files.length} files`;
  const { first, sections } = siteWeight();
  const lines = sections.map(({ name, shown, whole }) => `${name}: ${kb(shown)}, whole ${kb(whole)}`);
  process.stdout.write(`first load: ${kb(first)}\n${lines.join('\n')}\n`);
}
