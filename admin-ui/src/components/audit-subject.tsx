import { Text } from '@mantine/core';
import type { AuditEntryWords } from './audit-words.ts';
import { TextLink } from './link.tsx';

const OF_PROMPTS = ['prompt', 'version', 'label', 'draft'];
const GONE = ['prompt.delete', 'secret.delete'];

/** What an entry of the audit log is about, with a way there where there is one. */
export const AuditSubject = ({ action, subject, name }: AuditEntryWords) => {
  const [resource = ''] = action.split('.');
  const look = { size: 'sm', className: 'cv-break' } as const;
  if (subject === 'vault' || GONE.includes(action)) {
    return <Text {...look}>{name === 'vault' ? 'the vault' : name}</Text>;
  }
  if (OF_PROMPTS.includes(resource)) {
    return (
      <TextLink to="/prompts/$promptId" params={{ promptId: subject }} {...look}>
        {name}
      </TextLink>
    );
  }
  if (resource === 'secret') {
    return (
      <TextLink to="/secrets/$secretId" params={{ secretId: subject }} {...look}>
        {name}
      </TextLink>
    );
  }
  return (
    <TextLink to="/api-keys" search={{ q: subject }} {...look}>
      {name}
    </TextLink>
  );
};
