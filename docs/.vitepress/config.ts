// The documentation site: the Markdown files of this folder, and the API reference from openapi.json.
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { GROUPS } from '../reference/[group].paths.ts';

const REPOSITORY = 'https://github.com/cuevault/cuevault/blob/main';

const titleOf = (page: string): string =>
  /^# (.+)$/m.exec(readFileSync(new URL(`../${page}.md`, import.meta.url), 'utf8'))?.[1] ?? page;

const group = (text: string, pages: readonly string[]) => ({
  text,
  items: pages.map((page) => ({ text: titleOf(page), link: `/${page.replace(/README$/, '')}` })),
});

const linkFrom = (page: string, href: string): string => {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const { pathname } = new URL(href, `file:///docs/${page}`);
  const isPage = /^\/docs\/.*\.md$/.test(pathname);
  return isPage ? href : `${REPOSITORY}${pathname}`;
};

const guides = readdirSync(new URL('../how-to', import.meta.url)).sort();

export default defineConfig({
  title: 'Cuevault',
  description: 'Prompts and secrets for applications, from your own AWS account or your laptop',
  outDir: '../dist/docs',
  cacheDir: '../dist/docs-cache',
  cleanUrls: true,
  // A dead link inside the documentation ends the build. Links to other files lead to the repository.
  markdown: {
    config: (markdown) => {
      markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.attrGet('href');
          if (href !== null) token.attrSet('href', linkFrom(env.relativePath, href));
        }
      });
    },
  },
  vite: { esbuild: { tsconfigRaw: {} } },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      group('Learn', ['tutorial']),
      group(
        'How to',
        guides.map((file) => `how-to/${file.replace('.md', '')}`),
      ),
      group('Operate', ['operations', 'security', 'errors', 'events/README', 'prompt-files', 'glossary']),
      {
        text: 'API reference',
        collapsed: true,
        items: GROUPS.map(({ group, title }) => ({ text: title, link: `/reference/${group}` })),
      },
      group('Contribute', ['architecture', 'access-patterns', 'policies', 'benchmarks']),
    ],
  },
});
