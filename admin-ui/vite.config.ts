import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

// Whatever starts the build, such as a test: what is served is always the production build.
process.env.NODE_ENV = 'production';

const ENDPOINT_FILE = /\/contract\/endpoints\/.+\.ts$/;
const DATA_FILE = /\/contract\/fields\/key-limits\.ts$/;

/** Of this file, the site needs only the fields of a key's limits: not their schemas. */
const dataOnly: Plugin = {
  name: 'data-only',
  load: {
    filter: { id: DATA_FILE },
    handler: async (file) => {
      const { KEY_FIELDS } = await import(`${pathToFileURL(file)}?${Date.now()}`);
      return `export const KEY_FIELDS = ${JSON.stringify(KEY_FIELDS)};`;
    },
  },
};

/** The site only needs the id and route of an endpoint: the service checks what is sent. Leaves the schemas out. */
const routesOnly: Plugin = {
  name: 'routes-only',
  load: {
    filter: { id: ENDPOINT_FILE },
    handler: async (file) => {
      const endpoints: Record<string, { id: string; route: unknown }> = await import(
        `${pathToFileURL(file)}?${Date.now()}`
      );
      return Object.entries(endpoints)
        .map(([name, { id, route }]) => `export const ${name} = ${JSON.stringify({ id, route })};`)
        .join('\n');
    },
  },
};

/** Of the 6,000 icons of the package, the site needs those that it names. */
const namedIcons: Plugin = {
  name: 'named-icons',
  load: {
    filter: { id: /@iconify-json\/tabler\/icons\.json$/ },
    handler: (file) => {
      const source = readFileSync(`${import.meta.dirname}/src/components/icons.tsx`, 'utf8');
      const { icons } = JSON.parse(readFileSync(file, 'utf8'));
      const [, names = ''] = source.split(/NAMES = |] as/);
      const named = [...names.matchAll(/'(.+)'/g)].map(([, name = '']) => {
        if (icons[name] === undefined) throw new Error(`There is no icon "${name}".`);
        return [name, icons[name]];
      });
      return JSON.stringify({ icons: Object.fromEntries(named) });
    },
  },
};

/** Names the style sheet to main.tsx: the page that only leads to the sign-in needs neither it nor its fonts. */
const stylesLater: Plugin = {
  name: 'styles-later',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html.replace(/<link rel="stylesheet"[^>]* href="([^"]+)">/, '<meta name="styles" content="$1">'),
  },
};

// Without what its modules import, which belongs to other groups.
const alone = { includeDependenciesRecursively: false };

export default defineConfig({
  plugins: [routesOnly, dataOnly, namedIcons, stylesLater],
  root: import.meta.dirname,
  build: {
    target: 'es2024',
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy allows images and fonts from the site itself alone.
    assetsInlineLimit: 0,
    // All styles together are smaller than the parts of three screens.
    cssCodeSplit: false,
    // For the test of what each screen loads.
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      optimization: { inlineConst: true },
      output: {
        codeSplitting: {
          // Few files per screen. A group takes with it what its modules import, unless it says otherwise.
          groups: [
            { name: 'main', test: /src\/main\.tsx$/, priority: 5 },
            { name: 'app', test: /src\/app\/pages\.tsx$/, priority: 4 },
            // The first screen with all that it needs, then what appears on top of every screen.
            { name: 'overview', test: /overview-screen/, priority: 4 },
            { name: 'overlays', test: /shell\/overlays/, priority: 4 },
            // What is shown by need loads together where it is shown together.
            { name: 'start', test: /overview\/(?:samples\.ts|untouched)/, priority: 3, ...alone },
            // Most lists have no such fields, and most forms are loaded by need.
            {
              name: 'forms',
              test: /@mantine\/core\/.*\/(?:TagsInput|MultiSelect|Radio\w*|PillsInput|Pill|Autocomplete)\/|secrets\/tag-readers/,
              minShareCount: 2,
              priority: 4,
              ...alone,
            },
            // What several sections share and the overview lacks, in one file.
            {
              name: 'lists',
              test: /node_modules(?!.*(?:\/yaml\/|\/semver\/|@codemirror|@lezer|JsonInput|\/diff\/))|src\/(?:components|api)|contract\/(?!versions|content\/(?!visible|breaking|variables|hash|templates|blocks|live))/,
              minShareCount: 2,
              priority: 3,
              ...alone,
            },
            // Its dialogs are opened from the command palette too.
            { name: 'secrets', test: /features\/secrets/, minShareCount: 2, priority: 3, ...alone },
            { name: 'keys', test: /features\/api-keys/, minShareCount: 2, priority: 3, ...alone },
            {
              name: 'content',
              test: /contract\/content|\/yaml\/|version-text|JsonInput|prompts\/editor\/content\.ts/,
              minShareCount: 2,
              priority: 2,
            },
            {
              name: 'prompts',
              test: /\/semver\/|contract\/versions|features\/prompts\/(?!.*(?:template-editor|content-form|stray-braces|label-form|publish-again-form|publishing|editor\/content\.ts|content-changes-view|versions\/changes|version-text|compiled))/,
              minShareCount: 2,
              priority: 1,
              ...alone,
            },
          ],
        },
      },
      // Packages mark their modules for React's server components, which are not used here.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
