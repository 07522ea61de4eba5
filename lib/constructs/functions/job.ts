import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { CustomResource, Duration, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Job as JobDefinition } from '../../../contract/functions/jobs.ts';
import { Operation, type OperationProps } from './operation.ts';

/** An operation without a route: if its definition says so, a schedule or each deployment invokes it. */
export class Job extends Operation {
  /** Name of the rule that invokes it. @default - no schedule does */
  readonly scheduleName: string | undefined;

  constructor(scope: Construct, definition: JobDefinition, props: OperationProps) {
    super(scope, definition, props);
    if (definition.everyMinutes !== undefined)
      this.scheduleName = this.#schedule(definition.id, definition.everyMinutes);
    const created = definition.creates === undefined ? [] : [this.#create(definition.creates)];
    if (definition.afterDeployment) this.runAfterDeployment(...created);
  }

  #schedule(id: string, everyMinutes: number): string {
    const rule = new Rule(this, 'Schedule', {
      description: `${id}, every ${everyMinutes} minutes`,
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(this.function)],
    });
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'A scheduled event contains no data, and the next one does the same work.',
    });
    return rule.ruleName;
  }

  // CloudFormation invokes the function when it creates the stack, and the deployment fails if the function fails.
  #create(resourceType: string): CustomResource {
    const created = new CustomResource(this, 'Created', {
      serviceToken: this.function.functionArn,
      resourceType,
    });
    created.node.addDependency(...this.granted);
    return created;
  }
}
