/**
 * A fault to plant: `text`, which occurs once in `file`, becomes `fault`; some test that Jest's arguments `tests` choose must then fail. In the
 * admin UI, both are expressions.
 */
export interface Fault {
  readonly file: string;
  readonly text: string;
  readonly fault: string;
  readonly tests: string;
}

const fault = (file: string, text: string, planted: string, tests: string): Fault => ({
  file,
  text,
  fault: planted,
  tests,
});

/** Faults in one room, found by the same tests: file, text, fault. */
const faultsOf = (
  room: string,
  tests: string,
  faults: readonly (readonly [file: string, text: string, planted: string])[],
): Fault[] => faults.map(([file, text, planted]) => fault(`${room}/${file}`, text, planted, tests));

/** One for each kind of rule that a change could break unnoticed, in every room. */
export const FAULTS: readonly Fault[] = [
  // Rules of API keys
  fault(
    'lambdas/core/api-keys/rules.ts',
    'Date.parse(expiresAt) <= now',
    'Date.parse(expiresAt) > now',
    'test/endpoints/reads/refusals.test.ts',
  ),
  fault(
    'lambdas/core/api-keys/rules.ts',
    "if (revokedAt !== undefined) return 'revoked';",
    '',
    'test/endpoints/api-keys.test.ts',
  ),
  fault(
    'lambdas/http/key-endpoint.ts',
    '!matchesHash(bearer.apiKey, found.hash)',
    'bearer.apiKey === found.hash',
    'test/endpoints/reads/refusals.test.ts',
  ),
  fault(
    'lambdas/core/api-keys/rules.ts',
    '!required.some((each) => found.permissions.includes(each))',
    'found.permissions.length === 0',
    'test/endpoints/reads/refusals.test.ts',
  ),
  fault(
    'lambdas/core/api-keys/addresses.ts',
    "text.includes('%')",
    "text.includes('%%')",
    'test/unit/api-keys',
  ),
  fault(
    'contract/fields/key-limits.ts',
    'Date.parse(to) <= Date.parse(from)',
    'Date.parse(to) >= Date.parse(from)',
    'test/unit/api-keys',
  ),
  fault(
    'lambdas/core/operators.ts',
    'outranks(operator.group, role)',
    '!outranks(operator.group, role)',
    'test/unit/operators.test.ts',
  ),
  fault('lambdas/core/operators.ts', "use !== 'access'", "use === 'refresh'", 'test/unit/operators.test.ts'),
  // Templates and content
  fault(
    'contract/content/templates.ts',
    'Object.hasOwn(variables, name)',
    'name in variables',
    'test/unit/prompts',
  ),
  fault(
    'contract/content/templates.ts',
    "return json === 'null' ? undefined : json;",
    'return json;',
    'test/unit/prompts',
  ),
  fault(
    'contract/content/variables.ts',
    'Number.isInteger(value)',
    "typeof value === 'number'",
    'test/unit/content',
  ),
  fault(
    'contract/content/variables.ts',
    'declaration?.default === undefined;',
    'declaration === undefined;',
    'test/unit/content',
  ),
  fault(
    'contract/content/breaking.ts',
    "!(from === 'integer' && to === 'number')",
    'true',
    'test/unit/content',
  ),
  fault(
    'contract/content/breaking.ts',
    'if (before.enum === undefined) return',
    'if (before.enum !== undefined) return',
    'test/unit/content',
  ),
  fault('contract/content/hash.ts', '!Number.isSafeInteger(value)', 'value > 1e300', 'test/unit/content'),
  fault(
    'lambdas/core/prompts/templates.ts',
    'if (bytes <= most) return;',
    'if (bytes < most) return;',
    'test/unit/prompts',
  ),
  fault(
    'contract/limits.ts',
    'JSON.stringify(JSON.stringify(text))',
    'JSON.stringify(text)',
    'test/unit/prompts',
  ),
  fault(
    'lambdas/http/stack.ts',
    "'cache-control': 'no-store'",
    "'cache-control': 'no-cache'",
    'test/endpoints/reads/refusals.test.ts',
  ),
  // The vault
  fault(
    'lambdas/store/secrets/env-import.ts',
    'utf8Bytes(value) > LIMITS.secretValueBytes',
    'value.length > LIMITS.secretValueBytes + 1',
    'test/endpoints/secrets/lists-and-imports.test.ts',
  ),
  fault('lambdas/core/vault/pages.ts', 'box: take(boxBytes)', 'box: take(bytes)', 'test/unit/vault'),
  fault(
    'contract/env-file.ts',
    "if (value.includes('#'))",
    "if (value.includes('##'))",
    'test/contract/env-file.test.ts',
  ),
  fault('lambdas/core/lists/day-ranges.ts', 'dayIn(to) > today ? today : to', 'to', 'test/unit/lists'),
  // The store
  fault(
    'lambdas/store/prompts/publishing.ts',
    'compareVersions(version, reservedUpTo) > 0',
    'compareVersions(version, reservedUpTo) >= 0',
    'test/store/prompts',
  ),
  fault(
    'lambdas/store/prompts/labels.ts',
    'if (expected !== undefined) requireAt(seen, label, expected);',
    '',
    'test/endpoints/versions.test.ts',
  ),
  fault(
    'lambdas/store/prompts/labels.ts',
    'others.length < LIMITS.labels',
    'others.length <= LIMITS.labels',
    'test/store/prompts',
  ),
  fault(
    'lambdas/store/prompts/purge.ts',
    'head !== undefined && isDeleted &&',
    'head !== undefined &&',
    'test/store/prompts/lifecycle.test.ts',
  ),
  fault(
    'lambdas/store/api-keys/api-keys.ts',
    "read.\n          ConditionExpression: 'rev = :rev AND attribute_not_exists(revokedAt)'",
    "\n          ConditionExpression: 'attribute_exists(rev)'",
    'test/store/api-keys',
  ),
  fault(
    'lambdas/store/secrets/import.ts',
    '(old?.bytes ?? 0)',
    '0',
    'test/endpoints/secrets/lists-and-imports.test.ts',
  ),
  fault(
    'lambdas/store/seal/chain.ts',
    "bytes === undefined ? 'The object is missing.'",
    "bytes !== undefined ? 'The object is missing.'",
    'test/store/seal',
  ),
  // Endpoints
  fault(
    'lambdas/http/refusals.ts',
    'createBoundedCache<true>(KNOWN_REFUSALS)',
    'createBoundedCache<true>(0)',
    'test/endpoints/consumed-units.test.ts',
  ),
  fault('contract/endpoints/secrets/vault-get-secrets.ts', 'strictFields({', 'z.object({', 'test/unit/http'),
  // The stack
  fault(
    'lib/constructs/table.ts',
    'WRITES.some((action) => keys.has(action))',
    'keys.size > 99',
    'test/infra/permissions/table-policy.test.ts',
  ),
  fault(
    'contract/http/security-headers.ts',
    "frame-ancestors 'none'",
    'frame-ancestors *',
    'test/infra/site',
  ),
  // The laptop
  fault('test/support/iam/policies.ts', "statement.Effect !== 'Allow' && ", '', 'test/infra/evaluation'),
  fault(
    'test/support/iam/policies.ts',
    "principal === undefined || principal === '*'",
    'true',
    'test/infra/evaluation',
  ),
  fault('local/loopback.ts', "if (host === '0.0.0.0') return [host, IPV6];", '', 'test/local/gateway'),
  fault(
    'lambdas/core/prompts/affected.ts',
    'key.unsent.includes(change.name)',
    'false',
    'test/unit/prompts/affected.test.ts',
  ),
  // The admin UI
  ...faultsOf('admin-ui/src', 'test/unit/admin-ui', [
    ['features/audit/audit-times.ts', 'now.getDate() + days', 'now.getDate()'],
    ['features/audit/audit-times.ts', 'Date.parse(time) - 1', 'Date.parse(time)'],
    ['features/audit/audit-times.ts', 'startOf(atMidnight(days.to), 1)', 'startOf(atMidnight(days.to), 0)'],
    ['features/api-keys/expiry.ts', 'end < until', 'true'],
    [
      'features/api-keys/expiry.ts',
      "['30', '90', '365'].find((choice) => ms < (Number(choice) + 1) * DAY_MS)",
      "'365'",
    ],
    ['features/api-keys/trust-presets.ts', "issuer.endsWith(parts.at(-1) ?? '')", 'true'],
    ['features/api-keys/key-texts.ts', 'allowed === total && allowed > 0', 'allowed > 0'],
    [
      'components/locale.ts',
      'Math.round((midnight(time) - midnight(now)) / MINUTE / DAY_MINUTES)',
      'Math.trunc(minutes / DAY_MINUTES)',
    ],
    ['components/locale.ts', 'more > 0', 'more >= 0'],
    ['components/tables/searched-for.ts', 'entropyOf(run) >= MOST_ENTROPY', 'false'],
    ['components/tables/searched-for.ts', '!ID.test(text)', 'true'],
    [
      'components/tables/csv.ts',
      '[names.map(cell), ...lines]',
      '(lines.length ? [names.map(cell), ...lines] : [])',
    ],
    ['features/overview/refusals.ts', 'b.calls - a.calls', 'a.calls - b.calls'],
    ['features/prompts/usage/usage-days.ts', 'one.apiKeyId === key', 'true'],
    ['features/prompts/editor/line-breaks.ts', "'\\r\\n'", "'\\n'"],
    ['features/prompts/versions/changes.ts', "text.replace(ENDS, '\\n')", 'text'],
    ['features/prompts/versions/changes.ts', '!ends.includes(undefined)', 'true'],
    ['features/secrets/rotation.ts', 'days > 0 ? days : USUAL_DAYS', 'days'],
  ]),
  ...faultsOf('admin-ui/src', 'test/e2e/site/presses.test.ts', [
    ['api/use-action.ts', "event.key !== 'Enter' || !event.repeat || isTyping", 'true'],
  ]),
  ...faultsOf('admin-ui/src', 'test/e2e/features/environments.test.ts', [
    ['components/environments.tsx', 'each.name === name && each.isCritical', 'each.isCritical'],
    ['features/secrets/secrets-screen.tsx', 'each.environment === environment', 'true'],
    ['features/secrets/secrets-screen.tsx', 'forgottenIn.includes(environment)', 'true'],
  ]),
  ...faultsOf('admin-ui/src', 'test/e2e/features/overview.test.ts', [
    ['components/failures.ts', 'own.reduce((sum, { calls }) => sum + calls, 0)', '(own[0]?.calls ?? 0)'],
    ['components/basics.tsx', "times.at(-1) ?? ''", "times[0] ?? ''"],
    ['components/basics.tsx', 'all ? children : children.slice(0, SHOWN)', 'children'],
  ]),
  ...faultsOf('admin-ui/src', 'test/e2e/features/vault.test.ts', [
    ['features/secrets/import-screen.tsx', 'widened.length === 0 || confirmed', 'true'],
    ['components/dialogs.tsx', 'confirmed === shown', 'confirmed !== false'],
  ]),
  ...faultsOf('admin-ui/src', 'test/e2e/features/screens.test.ts', [
    ['features/prompts/impact/impact-panel.tsx', "verdict === 'breaks'", "verdict !== 'works'"],
    ['features/prompts/usage/usage-days.ts', '-count', '0'],
    ['features/secrets/rotation.ts', 'allowed && reads > 0', 'reads > 0'],
    ['features/secrets/rotation.ts', 'rotateBy < dayIn(0, now)', 'rotateBy <= dayIn(0, now)'],
    ['features/prompts/usage/usage-days.ts', 'fetches + failed > 0', 'fetches > 0'],
    ['features/api-keys/api-key-screen.tsx', 'read.filter(({ known }) => known)', 'read'],
    ['features/api-keys/api-key-screen.tsx', "canAllow && apiKey.status === 'active'", 'canAllow'],
    ['features/secrets/secret-screen.tsx', 'switchedOff.upTo >= number - 1', 'switchedOff.upTo >= number'],
    ['features/secrets/readers.tsx', 'reader.number === null', 'false'],
    ['features/secrets/readers.tsx', 'isAll && secret.number > 1', 'isAll'],
    [
      'features/operators/operators-screen.tsx',
      "row.status === 'expired' ? 'Invite again' : 'Enable'",
      "'Enable'",
    ],
    [
      'features/secrets/who-has-screen.tsx',
      "isCertain ? 'first received' : 'possibly first received'",
      "'first received'",
    ],
    ['features/prompts/live/live-screen.tsx', "label === LATEST ? 'version.publish' : 'label'", "'label'"],
    ['features/prompts/live/live-screen.tsx', 'one.label === label', 'true'],
    ['features/secrets/vault-screen.tsx', 'changed.length + returning.length', 'changed.length'],
  ]),
  ...faultsOf('admin-ui/src', 'test/e2e/features/impact.test.ts', [
    [
      'features/prompts/labels/label-form.tsx',
      "breakingOf(effects).length > 0 ? 'major' : 'minor'",
      "'minor'",
    ],
    ['features/prompts/labels/label-form.tsx', 'isBack && current === latest', 'isBack'],
    ['features/prompts/labels/label-form.tsx', 'row.publishedAt', 'new Date(0).toISOString()'],
  ]),
  // The TypeScript client
  ...faultsOf('clients/typescript/src', 'test/clients/typescript/templates.test.ts', [
    ['prompts/templates.ts', "(isEmpty || Symbol.iterator in value || kindOf(value) === 'Error')", 'false'],
    ['prompts/templates.ts', '!Number.isFinite(value)', 'Number.isNaN(value)'],
  ]),
  ...faultsOf('clients/typescript/src', 'test/clients/typescript/formats.test.ts', [
    ['cli/commands/env.ts', '/[\\r\\n\\0]/.test(value)', 'false'],
    ['cli/commands/env.ts', "value.endsWith('\\\\')", 'false'],
  ]),
  ...faultsOf('clients/typescript/src', 'test/clients/typescript/cli/windows.test.ts', [
    ['cli/find.ts', 'name.toUpperCase()', 'name'],
    ['cli/find.ts', "/[\\r\\n]/.test([file, ...args].join(''))", 'false'],
  ]),
  ...faultsOf('clients/typescript/src', 'test/clients/typescript/testing.test.ts', [
    ['testing.ts', 'shouldCompile !== true', 'true'],
  ]),
  ...faultsOf('clients/typescript/src', 'test/clients/typescript/client.test.ts', [
    ['secrets/secrets.ts', '{ value: refuseJson }', '{ value: names }'],
  ]),
  ...faultsOf('clients/typescript/src', 'test/conformance/behaviours.test.ts -t command', [
    [
      'cli/commands/run.ts',
      '[...Object.entries(await source()), ...own]',
      '[...own, ...Object.entries(await source())]',
    ],
    ['cli/injection.ts', '!override.includes(name)', 'true'],
    ['cli/find.ts', '!gone.has(known(name))', 'true'],
  ]),
  ...faultsOf('clients/typescript/src', 'test/clients/typescript/groups.test.ts', [
    ['cli/child.ts', 'all.length === 0 || all.some(({ group }) => group === leader)', 'true'],
  ]),
  ...faultsOf('clients/typescript/src', 'test/clients/typescript/cli/git/plan.test.ts', [
    ['cli/git/plan.ts', 'latest === undefined || byVersion(version, latest) > 0', 'false'],
    ['cli/git/plan.ts', "base.contentHash === latest.contentHash ? 'publish' : 'conflict'", "'publish'"],
  ]),
  ...faultsOf('clients/typescript/src', 'test/clients/typescript/cli/import.test.ts', [
    ['http/reply.ts', 'left < 0', 'false'],
    ['cli/import/langfuse.ts', 'reply.status === 401 || reply.status === 403', 'false'],
  ]),
  // The Python client
  ...faultsOf('clients/python', 'clients/python/tests/cli/test_env_file.py', [
    ['src/cuevault/cli/env_file.py', '"#" in value', 'False'],
    ['src/cuevault/cli/env_file.py', 'source.removeprefix("\\ufeff")', 'source'],
  ]),
  ...faultsOf('clients/python', 'clients/python/tests/test_templates.py', [
    ['src/cuevault/templates.py', 'isinstance(value, bool) or not whole', 'not whole'],
    ['src/cuevault/templates.py', 'texts.get(name)', '(texts.get(name) or None)'],
  ]),
  ...faultsOf('clients/python', 'test/conformance/behaviours.test.ts -t rest', [
    ['src/cuevault/_core/breaker.py', 'min(_LONGEST_REST, error.retry_after or 0.0)', '0.0'],
    ['src/cuevault/_core/breaker.py', 'error.code == "timeout"', 'False'],
  ]),
  // Commands
  ...faultsOf('scripts', 'test/scripts/functions.test.ts', [
    ['aws/installation.ts', 'places.length > 1', 'false'],
  ]),
  // Trying a prompt on a model
  ...faultsOf('lambdas', 'test/endpoints/prompts/prompts-try.test.ts', [
    ['core/models.ts', "typeof value === 'number' && value >= 0", "typeof value === 'number' && value > 0"],
    ['store/models/try-prompt.ts', 'most: LIMITS.triedPerMinute', 'most: LIMITS.triedPerMinute + 1'],
    ['store/models/try-prompt.ts', 'await commitChange(', 'void commitChange('],
    ['store/models/try-prompt.ts', 'ids?.includes(model) ?? true', 'ids?.length !== 0'],
  ]),
  // Where a text came from, what a key would reach, what a change affects
  ...faultsOf('lambdas/store/views', 'test/endpoints/prompts/prompts-list.test.ts', [
    ['text-search.ts', 'readings.sort((a, b) => b.literal - a.literal)[0]', 'readings[0]'],
  ]),
  ...faultsOf('lambdas/store/views', 'test/endpoints/vault/environments.test.ts', [
    ['api-key-details.ts', 'environment === DEFAULT_ENVIRONMENT ? key', 'key ? key'],
    ['secret-rows.ts', '[vaults[index - 1], vaults[index + 1]]', '[vaults[index - 1]]'],
    ['secret-rows.ts', '(isDefaultUsed || environment !== DEFAULT_ENVIRONMENT)', 'true'],
  ]),
  ...faultsOf('lambdas/store/views', 'test/endpoints/usage.test.ts', [
    ['effects.ts', 'judged.map(({ since }) => since).reduce(later)', 'judged[0]?.since'],
    ['effects.ts', 'more.reduce((sum, { fetches }) => sum + fetches, first.fetches)', 'first.fetches'],
  ]),
  // Sending an event again
  fault(
    'local/webhook/webhook.ts',
    'index === pauses.length - 1',
    'entry.delivery.attempts === pauses.length - 1',
    'test/local/webhook.test.ts',
  ),
  // The MCP server, and commands of Windows
  fault(
    'contract/content/content.ts',
    " || message.role === 'developer'",
    '',
    'test/clients/typescript/cli/mcp.test.ts',
  ),
  ...faultsOf('clients/typescript/src/cli', 'test/clients/typescript/cli/mcp.test.ts', [
    ['git/mcp.ts', 'Number(output !== undefined)', '0'],
  ]),
  ...faultsOf('clients/typescript/src/cli', 'test/clients/typescript/cli/windows.test.ts', [
    ['find.ts', 'command.toLowerCase().endsWith(extension.toLowerCase())', 'command.endsWith(extension)'],
  ]),
  // Failing calls by cause
  ...faultsOf('admin-ui/src', 'test/unit/admin-ui', [
    ['components/failures.ts', `\`\${code} \${label}\``, 'code'],
    ['components/failures.ts', 'prompts.length > 1', 'own.length > 1'],
    ['components/failures.ts', "first?.code === 'placeholder_left'", 'false'],
  ]),
];
