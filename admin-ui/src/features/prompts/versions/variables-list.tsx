import { Code, Group, Stack, Text } from '@mantine/core';
import type { Content, VariableDeclaration } from '../../../../../contract/content/content.ts';
import { declared } from '../../../../../contract/content/variables.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { variablesIn } from '../../../../../contract/templates.ts';
import { RowButton } from '../../../components/small.tsx';

const Name = ({ name }: { name: string }) => (
  <Code className="cv-break" bg="var(--cv-mark)" c="var(--cv-mark-text)">
    {visible(name)}
  </Code>
);

const textOf = ({ type, description, enum: allowed, default: preset }: VariableDeclaration): string =>
  [
    type,
    preset === undefined ? 'required' : `default ${JSON.stringify(preset)}`,
    ...(allowed === undefined ? [] : [`one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`]),
    ...(description === undefined ? [] : [description]),
  ].join(', ');

interface VariablesListProps {
  /** Its texts say which variables there are. */
  readonly content: Content;
  /** What is declared of variables that no text uses. */
  readonly unused?: readonly string[];
  /** Declares variables that are not declared yet. */
  readonly onDeclare?: (names: readonly string[]) => void;
}

/** The variables of the texts, with what is declared about them. */
export const VariablesList = ({ content, unused = [], onDeclare }: VariablesListProps) => {
  const used = variablesIn(content);
  const undeclared = used.filter((name) => !declared(content.variables, name));
  if (used.length + unused.length === 0)
    return (
      <Text c="dimmed">
        None:{' '}
        {content.type === 'chat' ? 'the messages are served as they are' : 'the text is served as it is'}.
      </Text>
    );
  return (
    <Stack gap={6}>
      {undeclared.length > 0 && (
        <Group gap={6}>
          {undeclared.map((name) => (
            <Name key={name} name={name} />
          ))}
          {onDeclare && (
            <RowButton onClick={() => onDeclare(undeclared)}>Declare types and defaults</RowButton>
          )}
        </Group>
      )}
      {used.map((name) => {
        const declaration = declared(content.variables, name);
        return (
          declaration && (
            <Group key={name} gap="xs">
              <Name name={name} />
              <Text className="cv-break">{visible(textOf(declaration))}</Text>
            </Group>
          )
        );
      })}
      {unused.length > 0 && (
        <Text c="amber" role="status" className="cv-break">
          Declared, but no text uses them: {visible(unused.join(', '))}.
        </Text>
      )}
    </Stack>
  );
};
