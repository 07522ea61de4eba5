import { Checkbox, Group } from '@mantine/core';
import { EnvironmentMark } from '../../components/environments.tsx';

interface EnvironmentsFieldProps {
  readonly environments: readonly string[];
  readonly value: readonly string[];
  readonly onChange: (environments: string[]) => void;
}

/** Chooses the environments that get a value; nothing to choose if there is only one. */
export const EnvironmentsField = ({ environments, value, onChange }: EnvironmentsFieldProps) =>
  environments.length < 2 ? null : (
    <Checkbox.Group
      label="Environments"
      description="The value is stored in each of them, as a change of its own."
      value={[...value]}
      onChange={onChange}
    >
      <Group gap="sm" mt={6}>
        {environments.map((name) => (
          <Checkbox key={name} value={name} aria-label={name} label={<EnvironmentMark name={name} />} />
        ))}
      </Group>
    </Checkbox.Group>
  );
