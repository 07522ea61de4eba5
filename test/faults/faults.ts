/** A fault to plant: `text`, which occurs once in `file`, becomes `fault`; some test under `tests` must then fail. */
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

/** One for each kind of rule that a change could break unnoticed, in every room. */
export const FAULTS: readonly Fault[] = [
  // Rules of API keys
  fault(
    'lambdas/core/api-keys/rules.ts',
    'Date.parse(expiresAt) <= now',
    'Date.parse(expiresAt) > now',
    'test/endpoints/prompt-get-compiled/refusals.test.ts',
  ),
  fault(
    'lambdas/core/api-keys/rules.ts',
    "if (revokedAt !== undefined) return 'revoked';",
    '',
    'test/endpoints/api-keys.test.ts',
  ),
  fault(
    'lambdas/core/api-keys/rules.ts',
    'if (!matchesHash(apiKey, found.hash))',
    'if (apiKey === found.hash)',
    'test/endpoints/prompt-get-compiled/refusals.test.ts',
  ),
  fault(
    'lambdas/core/api-keys/rules.ts',
    '!required.some((each) => found.permissions.includes(each))',
    'found.permissions.length === 0',
    'test/endpoints/prompt-get-compiled/refusals.test.ts',
  ),
  fault(
    'lambdas/core/api-keys/addresses.ts',
    "text.includes('%')",
    "text.includes('%%')",
    'test/unit/api-keys',
  ),
  fault('lambdas/core/api-keys/narrowing.ts', 'end <= ends,', 'end >= ends,', 'test/unit/api-keys'),
  fault(
    'lambdas/core/operators.ts',
    'rank(each) >= rank(role)',
    'rank(each) <= rank(role)',
    'test/unit/operators.test.ts',
  ),
  fault(
    'lambdas/core/operators.ts',
    "claims.token_use !== 'access'",
    "claims.token_use === 'refresh'",
    'test/unit/operators.test.ts',
  ),
  // Templates and content
  fault('contract/templates.ts', 'Object.hasOwn(variables, name)', 'name in variables', 'test/unit/prompts'),
  fault(
    'contract/templates.ts',
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
  fault('contract/limits.ts', 'if (unit < 0x800) return 2;', 'if (unit < 0x800) return 1;', 'test/unit/http'),
  fault(
    'lambdas/http/stack.ts',
    "'cache-control': 'no-store'",
    "'cache-control': 'no-cache'",
    'test/endpoints/vault-get-secrets/refusals.test.ts',
  ),
  // The vault
  fault(
    'lambdas/store/secrets/env-import.ts',
    'utf8Bytes(value) > LIMITS.secretValueBytes',
    'value.length > LIMITS.secretValueBytes + 1',
    'test/endpoints/secrets/secrets-import.test.ts',
  ),
  fault(
    'lambdas/core/vault/pages.ts',
    'digest.length < DIGEST_BYTES',
    'digest.length < 0',
    'test/unit/vault',
  ),
  fault(
    'lambdas/core/vault/pages.ts',
    'next.count <= Math.max',
    'next.count < Math.max',
    'test/store/vault/limits.test.ts',
  ),
  fault(
    'contract/env-file.ts',
    "if (value.includes('#'))",
    "if (value.includes('##'))",
    'test/contract/env-file.test.ts',
  ),
  fault('lambdas/core/lists/day-ranges.ts', 'to.slice(0, 10) > today ? today : to', 'to', 'test/unit/lists'),
  // The store
  fault(
    'lambdas/store/signing/rows.ts',
    'if (revision < required) throw',
    'if (revision < 0) throw',
    'test/store/signing',
  ),
  fault(
    'lambdas/store/prompts/publishing.ts',
    'compareVersions(version, reservedUpTo) > 0',
    'compareVersions(version, reservedUpTo) >= 0',
    'test/store/prompts',
  ),
  fault(
    'lambdas/store/prompts/labels.ts',
    'expected === undefined || expected === from',
    'true',
    'test/endpoints/labels.test.ts',
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
    'test/store/prompts/purge.test.ts',
  ),
  fault(
    'lambdas/store/api-keys/api-keys.ts',
    "'rev = :rev AND attribute_not_exists(revokedAt)'",
    "'attribute_exists(rev)'",
    'test/store/api-keys',
  ),
  fault('lambdas/store/secrets/import.ts', '(old?.bytes ?? 0)', '0', 'test/store/vault/limits.test.ts'),
  fault(
    'lambdas/store/seal/chain.ts',
    "bytes === undefined ? 'The object is missing.'",
    "bytes !== undefined ? 'The object is missing.'",
    'test/store/seal',
  ),
  fault(
    'lambdas/store/integrity/removals.ts',
    'head.changedAt >= since',
    'head.changedAt < since',
    'test/store/vault',
  ),
  // Endpoints
  fault(
    'lambdas/http/refusals.ts',
    'written.size >= REMEMBERED',
    'true',
    'test/endpoints/consumed-units.test.ts',
  ),
  fault(
    'contract/endpoints/secrets/vault-get-secrets.ts',
    'z.strictObject(',
    'z.looseObject(',
    'test/endpoints/vault-get-secrets',
  ),
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
];
