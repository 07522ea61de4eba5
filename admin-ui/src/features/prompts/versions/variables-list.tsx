import { Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Content, VariableDeclaration } from '../../../../../contract/content/content.ts';
import { declared } from '../../../../../contract/content/variables.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { variablesIn } from '../../../../../contract/templates.ts';
import { RowButton, Small } from '../../../components/small.tsx';
import type { Expansion } from '../editor/expansion.ts';

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
  /** The same with its fragments, while it is edited. */
  readonly expansion?: Expansion;
  /** Declares variables that are not declared yet. */
  readonly onDeclare?: (names: readonly string[]) => void;
}

/** The variables of the texts, with what is declared about them. */
export const VariablesList = ({ content, expansion, onDeclare }: VariablesListProps) => {
  const used = variablesIn(content);
  const own = Object.keys(content.variables ?? {});
  const inFragments = expansion?.variables.filter(({ name }) => !own.includes(name)) ?? [];
  const undeclared = used.filter((name) => !own.includes(name));
  const isUnused = (name: string) =>
    expansion &&
    !expansion.isPending &&
    expansion.problem === undefined &&
    !variablesIn(expansion.content).includes(name);
  const shown = own.filter((name) => used.includes(name) || expansion);
  if (used.length + shown.length + inFragments.length === 0)
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
      {shown.map((name) => (
        <Declared key={name} name={name} declaration={declared(content.variables, name)}>
          {isUnused(name) && (
            <Text size="xs" c="amber" role="status">
              No text uses it any more.
            </Text>
          )}
        </Declared>
      ))}
      {inFragments.map(({ name, include, declaration }) => (
        <Declared key={name} name={name} declaration={declaration}>
          <Small>
            From <span className="cv-mono">{include}</span>
          </Small>
        </Declared>
      ))}
    </Stack>
  );
};

interface DeclaredProps {
  readonly name: string;
  readonly declaration: VariableDeclaration | undefined;
  readonly children: ReactNode;
}

const Declared = ({ name, declaration, children }: DeclaredProps) => (
  <Group gap="xs">
    <Name name={name} />
    <Text className="cv-break">{declaration ? visible(textOf(declaration)) : 'not declared, required'}</Text>
    {children}
  </Group>
);
