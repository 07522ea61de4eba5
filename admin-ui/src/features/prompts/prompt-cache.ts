import type { InfiniteData } from '@tanstack/react-query';
import { utf8Bytes } from '../../../../contract/limits.ts';
import { compareVersions } from '../../../../contract/versions.ts';
import { queryClient } from '../../api/query-client.ts';
import {
  PROMPTS_KEY,
  type Prompt,
  type PromptDetails,
  type PromptRow,
  promptQuery,
  type Version,
  type VersionRow,
  versionQuery,
  versionsQuery,
} from './prompt-queries.ts';

// Updates the cache from the reply of a change, so that screens show it immediately.

const NOT_FETCHED = { last7Days: 0, byDay: [], lastAt: null };

const labelsOf = ({ labels }: Prompt, version: string): string[] =>
  labels.filter((entry) => entry.version === version).map(({ label }) => label);

const changeRows = (promptId: string, change: (rows: VersionRow[]) => VersionRow[]): void => {
  queryClient.setQueryData(versionsQuery(promptId).queryKey, (rows) => rows && change(rows));
};

type ListPage = { readonly prompts: readonly PromptRow[] };

/** Replaces a prompt in the cache: on its screen, in its versions and in every list. */
export const keepPrompt = (prompt: Prompt): void => {
  const { promptId } = prompt;
  queryClient.setQueryData(promptQuery(promptId).queryKey, (seen) => seen && { ...seen, prompt });
  changeRows(promptId, (rows) => rows.map((row) => ({ ...row, labels: labelsOf(prompt, row.version) })));
  queryClient.setQueriesData<InfiniteData<ListPage>>({ queryKey: [...PROMPTS_KEY, 'list'] }, (list) =>
    list === undefined
      ? undefined
      : {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            prompts: page.prompts.map((row) => (row.promptId === promptId ? { ...row, ...prompt } : row)),
          })),
        },
  );
};

/** The content of a version as sent. */
type Content = {
  readonly [Field in keyof Omit<
    Version,
    'promptId' | 'version' | 'contentHash' | 'publishedAt' | 'publishedBy'
  >]?: Version[Field] | undefined;
};

/** The same as the service replies with it. */
const replied = ({ type = 'text', prompt, messages = [], tags = [], note = '', ...sent }: Content) => {
  const { variables, model, config, output, tools, metaProperties = {} } = sent;
  return {
    ...{ type, prompt: prompt ?? JSON.stringify(messages), tags, metaProperties, note },
    ...{ variables, model, config, output, tools },
    ...(type === 'chat' ? { messages } : {}),
  };
};

/** Adds a version that was just published; the first one adds its prompt. */
export const addVersion = (prompt: Prompt, number: string, contentHash: string, sent: Content): void => {
  const { promptId, changedAt, changedBy } = prompt;
  const content = replied(sent);
  const { type, tags, note } = content;
  const published = { version: number, contentHash, publishedAt: changedAt, publishedBy: changedBy };
  const version: Version = { ...content, ...published, promptId };
  const row: VersionRow = {
    ...{ ...published, type, tags, note, templateBytes: utf8Bytes(content.prompt) },
    ...{ labels: labelsOf(prompt, number), fetches: 0, lastFetchedAt: null },
  };
  // The service expands fragments.
  if (!sent.includes?.length) queryClient.setQueryData(versionQuery(promptId, number).queryKey, version);
  if (prompt.versions === 1) {
    queryClient.setQueryData(promptQuery(promptId).queryKey, {
      ...{ prompt, draft: null, examples: null },
      fetches: NOT_FETCHED,
    });
    queryClient.setQueryData(versionsQuery(promptId).queryKey, [row]);
  }
  keepPrompt(prompt);
  changeRows(promptId, (rows) =>
    [row, ...rows.filter((other) => other.version !== number)].sort((a, b) =>
      compareVersions(b.version, a.version),
    ),
  );
};

/** Removes a version from the list. */
export const dropVersion = (promptId: string, version: string): void =>
  changeRows(promptId, (rows) => rows.filter((row) => row.version !== version));

/** Removes the draft of a prompt. */
export const dropDraft = (promptId: string): void => {
  queryClient.setQueryData(promptQuery(promptId).queryKey, (seen) => seen && { ...seen, draft: null });
};

/** Replaces the example values of a prompt. */
export const keepExamples = (promptId: string, examples: PromptDetails['examples']): void => {
  queryClient.setQueryData(promptQuery(promptId).queryKey, (seen) => seen && { ...seen, examples });
};
