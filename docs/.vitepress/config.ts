// The documentation site: the Markdown files of this folder, and the API reference from openapi.json.
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { GROUPS } from '../reference/[group].paths.ts';

const REPOSITORY = 'https://cuevault.invalid/cuevault/blob/main';

const titleOf = (page: string): string =>
  /^# (.+)$/m
    .exec(readFileSync(new URL(`../${page}.md`, import.meta.url), 'utf8'))?.[1]
    ?.replaceAll('`', '') ?? page;

const group = (text: string, pages: readonly string[]) => ({
  text,
  items: pages.map((page) => ({ text: titleOf(page), link: `/${page}` })),
});

/** Pages for who changes Cuevault stay in the repository. */
const CONTRIBUTORS = /^\/docs\/(contributing\/|architecture\.md$)/;

const linkFrom = (page: string, href: string): string => {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  // The first page includes README.md, which is a folder above.
  const { pathname, hash } = new URL(href, `file:///${page === 'index.md' ? '' : `docs/${page}`}`);
  if (page === 'index.md' && pathname.startsWith('/docs/'))
    return linkFrom('README.md', pathname.slice(6) + hash);
  const isPage = /^\/docs\/.*\.(md|png)$/.test(pathname) && !CONTRIBUTORS.test(pathname);
  return isPage ? href : `${REPOSITORY}${pathname}`;
};

const HOW_TO = {
  'Move here': [
    'from-env-file',
    'from-openai-prompts',
    'from-langfuse',
    'from-openlit',
    'from-secrets-manager',
  ],
  'Frameworks and languages': ['nextjs', 'fastapi', 'vercel-ai-sdk', 'langchain', 'go-and-java'],
  Run: [
    'docker',
    'no-stored-key',
    'kubernetes',
    'lambda',
    'external-secrets',
    'github-actions',
    'terraform',
    'to-parameter-store',
    'siem',
    'company-sign-in',
  ],
  'When something happens': ['leaked-key', 'leaked-value', 'bad-publish', 'rotate-a-secret'],
};
const others = readdirSync(new URL('../how-to', import.meta.url))
  .map((file) => file.replace('.md', ''))
  .filter((page) => page !== 'README' && !Object.values(HOW_TO).flat().includes(page))
  .sort();
const guides = Object.entries({ ...HOW_TO, 'Work on prompts': others }).filter(
  ([, pages]) => pages.length > 0,
);

export default defineConfig({
  title: 'Cuevault',
  description: 'Prompts and secrets for applications, from your own AWS account or your laptop',
  outDir: '../dist/docs',
  cacheDir: '../dist/docs-cache',
  cleanUrls: true,
  srcExclude: ['contributing/**', 'architecture.md'],
  // A dead link inside the documentation ends the build. Links to other files lead to the repository.
  markdown: {
    languageAlias: { prompt: 'md' },
    config: (markdown) => {
      markdown.core.ruler.push('links-and-code', ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          for (const name of ['href', 'src']) {
            const href = token.attrGet(name);
            if (href !== null) token.attrSet(name, linkFrom(env.relativePath, href));
          }
          // Or Vue takes {{x}} for an expression.
          if (token.type === 'code_inline') token.attrSet('v-pre', '');
        }
      });
    },
  },
  vite: { esbuild: { tsconfigRaw: {} } },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      group('Start', ['tutorial', 'how-to/README']),
      {
        text: 'How-to',
        items: guides.map(([text, pages]) =>
          group(
            text,
            pages.map((page) => `how-to/${page}`),
          ),
        ),
      },
      group('Reference', [
        'reference/client-typescript',
        'reference/client-python',
        'reference/clients',
        'errors',
        'events/README',
        'prompt-files',
        'glossary',
      ]),
      {
        text: 'All exports',
        items: [
          { text: 'TypeScript client', link: '/reference/exports/typescript' },
          { text: 'Python client', link: '/reference/exports/python' },
        ],
      },
      {
        text: 'API reference',
        collapsed: true,
        items: GROUPS.map(({ group, title }) => ({ text: title, link: `/reference/${group}` })),
      },
      group('Operate', ['operations', 'security', 'security-review', 'costs']),
    ],
  },
});
