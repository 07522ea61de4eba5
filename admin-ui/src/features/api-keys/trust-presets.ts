// What a trust of each common issuer looks like, with what its callers need. Ids, not names: names can be taken over.

interface Preset {
  readonly label: string;
  readonly issuer: string;
  readonly match: Readonly<Record<string, readonly string[]>>;
  readonly hint: string;
  /** What gives callers a token, by the audience of the trust. */
  readonly use: (audience: string, apiUrl: string) => string;
}

const environment = (audience: string, apiUrl: string): string =>
  `CUEVAULT_URL=${apiUrl}\nCUEVAULT_TRUST=${audience}`;

// pull_request_target, issue_comment and workflow_run would run with the default branch's ref.
const EVENTS = ['push', 'workflow_dispatch', 'schedule', 'release'];

const workflow = (audience: string, apiUrl: string): string =>
  `permissions:\n  id-token: write\n  contents: read\nenv:\n  CUEVAULT_URL: ${apiUrl}\n  CUEVAULT_TRUST: ${audience}`;

/** The presets of the form, by name. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  github: {
    label: 'GitHub Actions: one repository',
    issuer: 'https://token.actions.githubusercontent.com',
    match: { '/repository_id': [''], '/ref': ['refs/heads/main'], '/event_name': EVENTS },
    hint: 'The id of a repository: gh api repos/OWNER/NAME --jq .id',
    use: workflow,
  },
  githubOwner: {
    label: 'GitHub Actions: every repository of an organization',
    issuer: 'https://token.actions.githubusercontent.com',
    match: { '/repository_owner_id': [''], '/ref': ['refs/heads/main'], '/event_name': EVENTS },
    hint: 'The id of an organization: gh api orgs/NAME --jq .id',
    use: workflow,
  },
  gitlab: {
    label: 'GitLab CI/CD',
    issuer: 'https://gitlab.com',
    match: { '/project_id': [''], '/ref_protected': ['true'] },
    hint: 'The id of a project is on its page, under the name. A GitLab of your own is its own issuer.',
    use: (audience, apiUrl) =>
      `id_tokens:\n  CUEVAULT_IDENTITY_TOKEN:\n    aud: ${audience}\nvariables:\n  CUEVAULT_URL: ${apiUrl}\n  CUEVAULT_TRUST: ${audience}`,
  },
  aws: {
    label: 'AWS role',
    issuer: 'https://ID.tokens.sts.global.api.aws',
    match: { '/sub': ['arn:aws:iam::123456789012:role/NAME'] },
    hint: 'Each account has an issuer of its own: aws iam enable-outbound-web-identity-federation switches it on and prints it. The role needs sts:GetWebIdentityToken. The subject is the ARN of the role with its path.',
    use: environment,
  },
  kubernetes: {
    label: 'Kubernetes service account',
    issuer: 'https://oidc.eks.REGION.amazonaws.com/id/ID',
    match: { '/sub': ['system:serviceaccount:NAMESPACE:NAME'] },
    hint: 'The issuer: kubectl get --raw /.well-known/openid-configuration. If it cannot be reached from here, paste the output of kubectl get --raw /openid/v1/jwks below.',
    use: (audience, apiUrl) =>
      `volumes:\n  - name: cuevault\n    projected:\n      sources:\n        - serviceAccountToken:\n            path: token\n            audience: ${audience}\nenv:\n  - { name: CUEVAULT_URL, value: "${apiUrl}" }\n  - { name: CUEVAULT_TRUST, value: "${audience}" }\n  - { name: CUEVAULT_IDENTITY_TOKEN_FILE, value: /var/run/secrets/cuevault/token }\nvolumeMounts:\n  - { name: cuevault, mountPath: /var/run/secrets/cuevault }`,
  },
  vercel: {
    label: 'Vercel',
    issuer: 'https://oidc.vercel.com/TEAM',
    match: { '/owner_id': [''], '/project_id': [''], '/environment': ['production'] },
    hint: 'The ids of team and project are in their settings.',
    use: (audience, apiUrl) =>
      `import { getVercelOidcToken } from '@vercel/oidc';\n\nconst audience = '${audience}';\nnew Cuevault({ url: '${apiUrl}', apiKey: () => getVercelOidcToken({ audience }) });`,
  },
  other: {
    label: 'Another issuer',
    issuer: 'https://',
    match: { '/sub': [''] },
    hint: 'Names of claims are JSON Pointers: ~1 stands for a slash in a name. Types are compared strictly.',
    use: environment,
  },
};

const VARIES = /\b(?:ID|REGION|TEAM)\b/;

/** The preset that a trust of this issuer was made with. */
export const presetOf = (issuer: string): Preset | undefined =>
  Object.values(PRESETS).find((preset) => {
    const parts = preset.issuer.split(VARIES);
    return issuer.startsWith(parts[0] ?? '') && issuer.endsWith(parts.at(-1) ?? '');
  }) ?? PRESETS.other;
