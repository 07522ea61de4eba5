import type { JsonObject } from '../../../contract/fields/fields.ts';

/** The content of a version. The contract of each operation checks it: `contract/shapes/prompts.ts`. */
export interface PromptContent {
  readonly prompt: string;
  readonly tags: readonly string[];
  readonly metaProperties: JsonObject;
  readonly note: string;
}
