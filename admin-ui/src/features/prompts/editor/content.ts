import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import type { Draft, Version } from '../prompt-queries.ts';
import { formatObject, parseObject } from '../try-it/json-object.ts';

/** The edited content; metadata as typed text. */
export interface Content {
  readonly prompt: string;
  readonly tags: readonly string[];
  readonly metadata: string;
  readonly note: string;
}

export const EMPTY: Content = { prompt: '', tags: [], metadata: '', note: '' };

/** The content of a version or a draft, for editing. */
export const contentOf = ({ prompt, tags, metaProperties, note }: Omit<Version | Draft, 'rev'>): Content => ({
  prompt,
  tags,
  metadata: formatObject(metaProperties),
  note,
});

/** The request body with these metadata. */
export const bodyWith = ({ prompt, tags, note }: Content, metaProperties: JsonObject) => ({
  prompt,
  tags: [...tags],
  metaProperties,
  note,
});

/** The request body; undefined while the metadata is not a JSON object. */
export const bodyOf = (content: Content) => {
  const metaProperties = parseObject(content.metadata);
  return metaProperties && bodyWith(content, metaProperties);
};
