import type { JsonObject } from '../../../contract/fields/fields.ts';
import { LIMITS, utf8Bytes } from '../../../contract/limits.ts';
import { assertValid } from '../errors.ts';
import { checkTags } from '../tags.ts';

/** The content of a version. */
export interface PromptContent {
  readonly prompt: string;
  readonly tags: readonly string[];
  readonly metaProperties: JsonObject;
  readonly note: string;
}

const checkText = (name: string, text: string, least: number, most: number): void => {
  const bytes = utf8Bytes(text);
  assertValid(bytes >= least && bytes <= most, `"${name}" must be ${least} to ${most} bytes of UTF-8.`);
  assertValid(text.isWellFormed(), `"${name}" must be well-formed Unicode.`);
};

/** Checks the name of a prompt. Errors: `invalid_request`. */
export const checkPromptName = (name: string): void => checkText('name', name, 1, LIMITS.promptNameBytes);

/** Checks the name of a label. Errors: `invalid_request`. */
export const checkLabel = (label: string): void => checkText('label', label, 1, LIMITS.labelBytes);

/** Checks a draft: like the content of a version, but the template may be empty. Errors: `invalid_request`. */
export const checkDraft = ({ prompt, tags, metaProperties, note }: PromptContent): void => {
  checkText('prompt', prompt, 0, LIMITS.templateBytes);
  checkTags(tags);
  checkText('note', note, 0, LIMITS.noteBytes);
  assertValid(
    utf8Bytes(JSON.stringify(metaProperties)) <= LIMITS.metadataBytes,
    `"metaProperties" must be at most ${LIMITS.metadataBytes} bytes as JSON.`,
  );
};

/** Checks the content of a version. Errors: `invalid_request`. */
export const checkContent = (content: PromptContent): void => {
  assertValid(content.prompt !== '', '"prompt" must not be empty.');
  checkDraft(content);
};
