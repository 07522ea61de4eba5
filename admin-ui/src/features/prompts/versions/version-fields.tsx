import { visible } from '../../../../../contract/content/visible.ts';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { fieldsText } from './version-text.ts';

/** The fields of a version that are neither text nor variables, as its file has them. */
export const VersionFields = (fields: Parameters<typeof fieldsText>[0]) => (
  <CodeBlock text={visible(fieldsText(fields))} label="model and output" />
);
