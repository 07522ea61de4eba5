import { pathToFileURL } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

// Whatever starts the build, such as a test: what is served is always the production build.
process.env.NODE_ENV = 'production';

const ENDPOINT_FILE = /\/contract\/(?:endpoints\/.+|webhook)\.ts$/;
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

export default defineConfig({
  plugins: [routesOnly, dataOnly],
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
      output: {
        codeSplitting: {
          // Few files per screen. A group takes with it what its modules import, unless it says otherwise.
          groups: [
            { name: 'main', test: /src\/main\.tsx$/, priority: 5 },
            { name: 'app', test: /src\/app\/pages\.tsx$/, priority: 4 },
            // The first screen with all that it needs, then what appears on top of every screen.
            { name: 'overview', test: /overview-screen/, priority: 4 },
            { name: 'overlays', test: /shell\/overlays/, priority: 4 },
            // What the overview does not need: tables for lists, fields for lists and forms.
            {
              name: 'tables',
              test: /@tanstack\/(?:react-virtual|virtual-core)|tables\/data-table/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 4,
            },
            {
              name: 'fields',
              test: /@mantine\/core\/.*\/components\/(?:Combobox|TagsInput|Select|MultiSelect|Autocomplete|Pill|PillsInput|Textarea)\/|src\/components\/tables|semver|contract\/versions/,
              minShareCount: 4,
              includeDependenciesRecursively: false,
              priority: 4,
            },
            {
              name: 'shared',
              test: /node_modules(?!.*(?:canonicalize|\/yaml\/))|src\/(?:components|api)|contract(?!\/content)|secrets\/secret-queries/,
              minShareCount: 4,
              priority: 3,
            },
            {
              name: 'prompts',
              test: /features\/prompts\/(?!.*(?:template-(?:editor|look)|content-form|stray-braces|label-form|publish-again-form|publishing|change-review|editor\/(?:content|values)|expansion|text-diff|version-text|version-fields|compiled))/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            // What two screens share would each become a separate file.
            {
              name: 'small',
              test: /@tabler\/icons-react|@mantine\/hooks|@mantine\/core\/.*\/(?:Tabs|List)\/|components\/(?:download|tables\/csv|deleted\/deleted-notice|dialogs\/delete|layout\/facts|step-icon)|labels-unprotect|endpoints\/audit-list/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            {
              name: 'content',
              test: /contract\/content|canonicalize|\/yaml\/|version-text|JsonInput|content-form\.module/,
              minShareCount: 2,
              priority: 2,
            },
            // What every screen needs of the vault, in one file. The shared part must not import it: it would run before that part.
            {
              name: 'vault',
              test: /secrets\/vault\/(?:serving|vault-queries)|endpoints\/vault\//,
              includeDependenciesRecursively: false,
              priority: 4,
            },
            { name: 'editor', test: /@codemirror/, priority: 2 },
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
