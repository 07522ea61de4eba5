// Without swc, dependency-cruiser passes over TypeScript and finds nothing wrong.
import '@swc/core';

// Imports go one way only. Each room lists the rooms it may import from besides itself; tests may import from all.
const ROOMS = {
  contract: [],
  // From the bottom up.
  'contract/fields': ['contract/limits'],
  'contract/content': ['contract/(fields|limits)'],
  'contract/http': [],
  'contract/shapes': ['contract/(fields|content|http|limits)'],
  'contract/functions': ['contract/(shapes|fields|table|limits|environment-names\\.json)'],
  'contract/endpoints': [
    'contract/(functions|shapes|content|fields|http|endpoint|issuers|samples|table|limits|endpoints)',
  ],
  build: ['contract'],
  lib: ['contract', 'cdk\\.json'],
  bin: ['lib', 'cdk\\.json'],
  'lambdas/core': ['contract'],
  'lambdas/store': ['contract', 'lambdas/core', 'lambdas/log'],
  'lambdas/http': ['contract', 'lambdas/core', 'lambdas/store', 'lambdas/log'],
  'lambdas/endpoints': ['contract', 'lambdas/core', 'lambdas/store', 'lambdas/http', 'lambdas/log'],
  'lambdas/commands': ['contract', 'lambdas/core', 'lambdas/store', 'lambdas/http', 'lambdas/log'],
  'lambdas/(jobs|consumers)': ['contract', 'lambdas/core', 'lambdas/store', 'lambdas/log'],
  'lambdas/triggers': ['contract', 'lambdas/core', 'lambdas/log', 'lambdas/store'],
  local: ['contract', 'lambdas', 'build'],
  scripts: ['contract', 'lambdas', 'local', 'lib/settings'],
  // The installation on this machine is a file of its own, which packages for AWS leave out.
  'scripts/aws': ['contract', 'lambdas', 'lib/settings', 'scripts/(counted|local)'],
  'scripts/packages': [
    'scripts/aws',
    'scripts/backup',
    'build',
    'local',
    '(clients/typescript/)?package\\.json',
  ],
  // No schema: they need zod.
  'clients/typescript/src': [
    'contract/(content/(content|templates|variables|visible)|fields/patterns|http/errors)',
    'contract/(env-file|environment-names\\.json)',
  ],
  // Bundled separately: only the commands that need them load them.
  'clients/typescript/src/cli/git': [
    'clients/typescript/src',
    'contract/(content|documentation|fields/patterns)', // types of replies
  ],
  'clients/typescript/src/cli/import': ['clients/typescript/src', 'contract/(content|fields/patterns)'],
  'admin-ui/src/api': ['contract'],
  'admin-ui/src/components': ['contract', 'admin-ui/src/api'],
  'admin-ui/src/features': ['contract', 'admin-ui/src/(api|components)'],
  'admin-ui': ['contract'],
};

const roomsIn = (room) => Object.keys(ROOMS).filter((other) => other.startsWith(`${room}/`));

const oneWay = Object.entries(ROOMS).map(([room, others]) => ({
  name: `${room} imports only ${[room, ...others].join(', ')}`,
  severity: 'error',
  from: { path: `^${room}(/|$)`, pathNot: roomsIn(room).map((inner) => `^${inner}(/|$)`) },
  to: {
    pathNot: ['^node_modules/', '^\\.', ...[room, ...others].map((name) => `^${name}(/|\\.ts|$)`)],
    dependencyTypesNot: ['core'],
  },
}));

export default {
  forbidden: [
    ...oneWay,
    {
      name: 'features of the admin UI do not know each other; the overview leads to all of them',
      severity: 'error',
      from: { path: '^admin-ui/src/features/((?!overview/)[^/]+)/' },
      to: { path: '^admin-ui/src/features/', pathNot: '^admin-ui/src/features/$1/' },
    },
    {
      name: 'reading a prompt does not load what changes it',
      severity: 'error',
      from: { path: '^lambdas/store/prompts/(reader|head|versions)\\.ts$' },
      to: {
        path: '^lambdas/store/prompts/(lookups|row-writes|change|labels|publishing|lifecycle|drafts|deletions|purge)\\.ts$',
      },
    },
    {
      name: 'no cycles of folders in the store',
      severity: 'error',
      scope: 'folder',
      from: { path: '^lambdas/store/' },
      to: { circular: true, path: '^lambdas/store/' },
    },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no missing modules', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no AWS in the rules',
      severity: 'error',
      from: { path: '^(contract|lambdas/core)/' },
      to: { path: 'node_modules/@aws-sdk' },
    },
    {
      name: 'the stack calls no AWS service',
      severity: 'error',
      from: { path: '^(lib|bin)/' },
      to: { path: 'node_modules/@aws-sdk' },
    },
    {
      name: 'only the stack is made of CDK',
      severity: 'error',
      from: { pathNot: '^(lib|bin|test)/' },
      to: { path: 'node_modules/(aws-cdk-lib|constructs|cdk-nag)/' },
    },
    {
      name: 'what is bundled has the small zod',
      severity: 'error',
      from: { path: '^(contract|lambdas)/' },
      to: { path: 'node_modules/zod/', pathNot: 'node_modules/zod/(v4/)?mini/' },
    },
  ],
  options: {
    parser: 'swc',
    // Modules of the runtime of Workers.
    exclude: { path: '^cloudflare:' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
