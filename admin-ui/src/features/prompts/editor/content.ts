import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import type { Draft, Version } from '../prompt-queries.ts';
import { formatObject, parseObject } from '../try-it/json-object.ts';

/** What is being written: metadata as the text that is typed. */
export interface Content {
  readonly prompt: string;
  readonly tags: readonly string[];
  readonly metadata: string;
  readonly note: string;
}

export const EMPTY: Content = { prompt: '', tags: [], metadata: '', note: '' };

/** What a version or a draft holds, to be written on. */
export const contentOf = ({ prompt, tags, metaProperties, note }: Omit<Version | Draft, 'rev'>): Content => ({
  prompt,
  tags,
  metadata: formatObject(metaProperties),
  note,
});

/** What is sent of it with these metadata. */
export const bodyWith = ({ prompt, tags, note }: Content, metaProperties: JsonObject) => ({
  prompt,
  tags: [...tags],
  metaProperties,
  note,
});

/** What is sent of it; undefined while the metadata are no JSON object. */
export const bodyOf = (content: Content) => {
  const metaProperties = parseObject(content.metadata);
  return metaProperties && bodyWith(content, metaProperties);
};
