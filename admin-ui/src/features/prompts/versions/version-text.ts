import type { Content } from '../../../../../contract/content/content.ts';
import { PromptFileError } from '../../../../../contract/content/file/error.ts';
import { parsePromptFile, printPromptFile } from '../../../../../contract/content/file/prompt-file.ts';

/** What is not text, as the front matter of the file form. Empty if there is nothing. */
export const fieldsText = (fields: Omit<Content, 'type' | 'prompt' | 'messages'>): string =>
  printPromptFile({ content: { ...fields, prompt: '' } }).replace(/^---\n|---\s*$/g, '');

/** The fields that are edited as text. */
export type TextFields = Pick<Content, 'config' | 'output' | 'tools' | 'metaProperties'>;

/** Reads the fields of `fieldsText` that are edited as text. Returns a sentence if the text is something else. */
export const textFieldsIn = (text: string): TextFields | string => {
  try {
    const { content, description } = parsePromptFile(`---\n${text}\n---\n`);
    const { config, output, tools, metaProperties, ...rest } = content;
    if (description !== undefined || JSON.stringify(rest) !== '{"prompt":""}')
      return 'Only config, output, toolDefs and cuevault.metadata are written here.';
    return { config, output, tools, metaProperties };
  } catch (error) {
    if (!(error instanceof PromptFileError)) throw error;
    // The first line is not in the field.
    return `Line ${error.line - 1}, ${error.message.slice(error.message.indexOf('column'))}`;
  }
};
