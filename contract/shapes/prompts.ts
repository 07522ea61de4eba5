import * as z from 'zod/mini';
import { extraReplyFields } from '../content/shapes.ts';
import { isPlainPath } from '../content/visible.ts';
import {
  anyText,
  arrayOf,
  count,
  keyId,
  operator,
  optional,
  optionalString,
  restorableUntil,
  revision,
  string,
  strings,
  time,
} from '../fields/common.ts';
import {
  described,
  flag,
  freeObject,
  promptId,
  promptName,
  strictFields,
  text,
  version,
} from '../fields/fields.ts';
import { COMMIT_PATTERN, REPOSITORY_PATTERN } from '../fields/patterns.ts';
import { LIMITS } from '../limits.ts';

const type = described(z.enum(['text', 'chat']), 'Whether it is one text, or the messages of a chat.');
/** The hash of a content. */
export const contentHash = string(
  'Identifies the content: `sha256:` and the SHA-256, in hex, of its canonical JSON (RFC 8785). It does not depend on name, version and note.',
);

const commit = z
  .string('must be a string')
  .check(
    z.regex(COMMIT_PATTERN, 'must be the full hash of a commit: 40 or 64 hexadecimal digits'),
    z.meta({ description: 'Full hash of the commit.' }),
  );

const repository = text(
  LIMITS.repositoryBytes,
  'The repository, such as `acme/app`, or `gitlab.com/acme/app`.',
).check(
  z.regex(REPOSITORY_PATTERN, 'must be a path such as "acme/app" or "gitlab.com/acme/app", without a scheme'),
);

/** The file that a version was published from. */
export const sourceShape = described(
  strictFields({
    repository,
    commit,
    path: text(LIMITS.sourcePathBytes, 'Path of the file in the repository.').check(
      z.refine(
        isPlainPath,
        'must be a path such as "prompts/a.prompt", without ".", ".." and invisible characters',
      ),
    ),
  }),
  'The file that the version was published from.',
);

/** The last version of a prompt that a repository published, or that its file was equal to. */
export const sourceState = z.object({ repository, version, contentHash, commit });

const content = {
  type,
  prompt: string('The template as its author wrote it; of a chat, the JSON text of `messages`.'),
  ...extraReplyFields,
  includes: optional(
    z.array(anyText),
    'The fragments that the templates include, such as `shared/tone@1.2.0`.',
  ),
  tags: z.array(anyText),
  metaProperties: freeObject('Metadata stored with this version.'),
  note: anyText,
};

const labelled = z.object({ label: anyText, version });

/** A prompt without its versions. */
export const promptShape = z.object({
  promptId,
  name: promptName,
  rev: revision('Increases with every change. Send it with yours to detect conflicts.'),
  latest: described(version, 'The highest version.'),
  highest: described(version, 'The highest version ever published. The next version is above it.'),
  versions: count('Number of versions.'),
  labels: arrayOf(labelled, 'Each label with the version it points to.'),
  tags: strings('Tags of the latest version.'),
  templateBytes: count('Size of the latest template, in bytes of UTF-8.'),
  excerpt: string(
    'What a search finds of the latest version: its first line, 100 characters of its note, its model and names of variables, on lines of their own.',
  ),
  type,
  contentHash,
  sources: optional(
    z.array(sourceState),
    'The last version of each of the last five repositories that published it, newest first.',
  ),
  createdAt: time('When it was created.'),
  createdBy: operator('Who created it.'),
  changedAt: time('When it was last changed.'),
  changedBy: operator('Who last changed it.'),
});

/** The labels that only administrators set, move and remove, by name. */
export const protectedLabels = arrayOf(
  z.object({
    label: anyText,
    protectedAt: time('When it was protected.'),
    protectedBy: operator('Who protected it.'),
  }),
  'The protected labels, by name.',
);

/** How often something was fetched in the days that are shown. */
export const fetchesShape = z.object({
  count: count(`Fetches within the last ${LIMITS.shownDays} days (UTC).`),
  byDay: arrayOf(z.int(), 'The same per day, oldest first.'),
  lastAt: z.nullable(time('The last one, or `null`.')),
});

const draftSaved = {
  savedAt: time('When it was saved.'),
  savedBy: operator('Who saved it.'),
};

/** What lists show of a prompt. */
const listedShape = z.pick(promptShape, {
  promptId: true,
  name: true,
  latest: true,
  labels: true,
  tags: true,
  excerpt: true,
  type: true,
  createdAt: true,
  changedAt: true,
  changedBy: true,
});

export const promptRow = z.extend(listedShape, {
  fetches: fetchesShape,
  failing: optional(
    z.int(),
    'At least so many calls of the last 24 hours failed, or were served with a placeholder left, and would again.',
  ),
  found: z.optional(
    described(
      z.object({ version, line: anyText }),
      'With `texts`, the version and the line in which the search has found the text.',
    ),
  ),
  draft: z.optional(
    z.object(draftSaved).check(
      z.meta({
        description:
          'Whose draft it has; it can be missing if there are many large drafts or they cannot be read.',
      }),
    ),
  ),
});

export const draftShape = z.object({
  ...content,
  baseVersion: z.optional(version),
  rev: revision('Changes with every save. Send it with the next save.'),
  ...draftSaved,
});

/** The values that operators try a prompt with. */
export const examplesShape = z.object({
  values: freeObject('Values by the names of variables.'),
  savedAt: time('When they were saved.'),
  savedBy: operator('Who saved them.'),
});

export const versionShape = z.object({
  promptId,
  version,
  ...content,
  expanded: optionalString(
    'Only with `includes`: the template that readers get, with its fragments; of a chat, the JSON text of the messages.',
  ),
  expandedVariables: described(
    extraReplyFields.variables,
    'Only with `includes`: the declared variables of the template and its fragments.',
  ),
  contentHash,
  publishedAt: time('When it was published.'),
  publishedBy: operator('Who published it.'),
  source: z.optional(sourceShape),
});

export const versionRow = z.object({
  version,
  type,
  contentHash,
  tags: z.array(anyText),
  note: anyText,
  templateBytes: count('Size of the template, in bytes of UTF-8.'),
  publishedAt: time('When it was published.'),
  publishedBy: operator('Who published it.'),
  source: z.optional(sourceShape),
  labels: strings('The labels that point to it.'),
  fetches: count(`Fetches within the last ${LIMITS.shownDays} days (UTC).`),
  lastFetchedAt: z.nullable(time('The last of these fetches, or `null`.')),
});

/** The last move of a label from another version to the one that it points to. */
export const lastMove = z.object({
  label: anyText,
  from: described(version, 'Where the label pointed before.'),
  at: time('When it moved.'),
  actor: operator('Who moved it.'),
});

export const deletedPrompt = z.object({
  promptId,
  name: promptName,
  latest: version,
  versions: count('Number of versions.'),
  deletedAt: time('When it was deleted.'),
  deletedBy: operator('Who deleted it.'),
  restorableUntil,
});

/** How a caller chose the version. */
const asked = described(
  z.enum(['latest', 'version', 'label']),
  'What the caller asked for: `latest` if it named neither version nor label.',
);

/** One entry of the access history. */
export const accessShape = z.object({
  time: time('When it was fetched.'),
  requestId: anyText,
  version,
  asked: z.optional(asked),
  label: optionalString('The requested label.'),
  apiKeyId: anyText,
  apiKeyName: anyText,
  sourceIp: anyText,
  userAgent: anyText,
  compiled: flag('Whether the caller asked for the compiled prompt.'),
  variables: optional(
    z.array(anyText),
    'The names of the variables in the request, never their values. Absent if the request did not ask for compilation, or if the names are too long to be kept.',
  ),
  missing: optional(z.array(anyText), 'The first placeholders left in the compiled prompt.'),
  metaProperties: freeObject('The `metaProperties` of the request.'),
});

/** Calls for a prompt that fail in an hour for one reason with one key. */
export const failingShape = z.object({
  code: string('The error code, or `placeholder_left` if the call was served with one.'),
  reason: string('Why the last of them failed: a sentence without its full stop.'),
  label: optionalString('The label that it asked for.'),
  version: optional(version, 'The version that it was about.'),
  apiKeyId: keyId,
  apiKeyName: anyText,
  sourceIp: string('Where it came from.'),
  calls: count('How many calls, at least.'),
  since: time('The first of them.'),
  lastAt: time('The last of them.'),
});

/** A change of a prompt. */
export const eventShape = z.object({
  at: time('When it happened.'),
  actor: operator('Who did it.'),
  type: z.enum([
    'prompt-created',
    'prompt-deleted',
    'prompt-restored',
    'published',
    'version-deleted',
    'label-set',
    'label-removed',
  ]),
  version: optional(version, 'The version created, published or deleted.'),
  label: z.optional(anyText),
  from: z.optional(z.nullable(described(version, 'Where the label pointed before.'))),
  to: optional(version, 'Where it points now.'),
});
