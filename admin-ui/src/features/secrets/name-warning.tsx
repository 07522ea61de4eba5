import { Alert } from '@mantine/core';
import { isDangerousName, isShellName } from '../../../../contract/functions/environment-names.ts';
import { WarningMark } from '../../components/warning-mark.tsx';

/** The problem of a name as an environment variable, or undefined. */
export const warningOf = (name: string): string | undefined => {
  if (name === '') return undefined;
  // Windows ignores the case of names.
  if (isDangerousName(name) || isDangerousName(name.toUpperCase())) {
    return `${name} changes which code programs load or run. The clients refuse to set it as an environment variable unless you allow it.`;
  }
  if (isShellName(name)) return undefined;
  return 'No shell accepts this as the name of a variable: use letters, digits and underscores, and no digit at the beginning. Applications can still read it by its name.';
};

export const NameWarning = ({ name }: { name: string }) => {
  const warning = warningOf(name);
  return <div role="status">{warning && <Alert p="xs">{warning}</Alert>}</div>;
};

/** The same as an icon next to a name. */
export const NameMark = ({ name }: { name: string }) => {
  const warning = warningOf(name);
  return warning && <WarningMark text={warning} />;
};
