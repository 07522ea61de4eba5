import { Text } from '@mantine/core';
import { LIMITS, utf8Bytes } from '../../../../../../contract/limits.ts';
import { counted, listed } from '../../../../components/count.ts';
import { inDigits } from '../../../../components/locale.ts';
import { Small } from '../../../../components/small.tsx';
import { strayBracesOf } from './stray-braces.ts';

const KB = 1024;
/** Bytes of UTF-8: OpenAI documents about four characters of English text for each token. */
const BYTES_PER_TOKEN = 4;
const NAMED = 3;

/** The size of a template, and what looks like a placeholder in it but is not one. */
export const TemplateFacts = ({ template }: { template: string }) => {
  const bytes = utf8Bytes(template);
  const stray = [...new Set(strayBracesOf(template).map(({ text }) => text))];
  return (
    <>
      <Small mt={5}>
        {counted(template.length, 'character')},{' '}
        {bytes < KB ? counted(bytes, 'byte') : `${inDigits(Math.round(bytes / KB))} KB`},{' '}
        <span title="Estimated at four bytes for each token. Models differ.">
          about {counted(Math.ceil(bytes / BYTES_PER_TOKEN), 'token')}
        </span>
      </Small>
      {stray.length > 0 && (
        <Text size="xs" c="amber" mt={5} role="status" className="cv-break">
          Not {stray.length === 1 ? 'a placeholder' : 'placeholders'}, served as written:{' '}
          {listed(stray, NAMED)}. Placeholders have two braces and a name without spaces: {'{{name}}'}.
        </Text>
      )}
      {bytes > LIMITS.templateBytes && (
        <Text c="brick" mt="0.4rem" role="alert">
          The template takes {Math.ceil(bytes / KB)} KB; at most {LIMITS.templateBytes / KB} KB fit.
        </Text>
      )}
    </>
  );
};
