import { Text } from '@mantine/core';
import { DEFAULT_ENVIRONMENT } from '../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AuditEntryWords } from './audit-words.ts';
import { keyPage, promptPage, TextLink } from './basics.tsx';
import { secretPage } from './environments.tsx';
import { daysSince } from './locale.ts';
import { Breakable } from './screen.tsx';

const OF_PROMPTS = ['prompt', 'version', 'label', 'draft', 'examples'];
const WITHOUT_SCREEN = ['label.protect', 'label.unprotect', 'label.move-set'];

export const AuditSubject = ({
  action,
  subject,
  name,
  details,
  at,
}: AuditEntryWords & { readonly at: string }) => {
  const { environment = DEFAULT_ENVIRONMENT } = details as { environment?: string };
  const inIt = environment === DEFAULT_ENVIRONMENT ? '' : ` in ${environment}`;
  const [resource = ''] = action.split('.');
  const text = <Breakable text={name} />;
  const isPlain =
    ![...OF_PROMPTS, 'secret', 'api-key'].includes(resource) ||
    subject === 'vault' ||
    WITHOUT_SCREEN.includes(action) ||
    // Then it is gone for good.
    (['prompt.delete', 'secret.delete'].includes(action) && daysSince(at) > LIMITS.restoreDays);
  const link = OF_PROMPTS.includes(resource)
    ? promptPage(subject, name)
    : resource === 'secret'
      ? secretPage({ environment, secretId: subject, key: name })
      : keyPage(subject, name);
  return (
    <Text span inherit className="cv-break" lineClamp={3} title={name}>
      {name === 'vault' ? 'the vault' : isPlain ? text : <TextLink {...link}>{text}</TextLink>}
      {inIt}
    </Text>
  );
};
