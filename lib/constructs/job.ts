import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Duration, Validations } from 'aws-cdk-lib/core';
import { InvocationType, Trigger } from 'aws-cdk-lib/triggers';
import type { Construct } from 'constructs';
import type { Job as JobDefinition } from '../../contract/jobs.ts';
import { Operation, type OperationProps } from './operation.ts';

/** An operation that a schedule invokes, and where its definition says so each deployment too. */
export class Job extends Operation {
  constructor(scope: Construct, definition: JobDefinition, props: OperationProps) {
    super(scope, definition, props);
    const rule = new Rule(this, 'Schedule', {
      description: `${definition.id}, every ${definition.everyHours} hours`,
      schedule: Schedule.rate(Duration.hours(definition.everyHours)),
      targets: [new LambdaFunction(this.function)],
    });
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'The event of a schedule carries nothing worth keeping; the next one does the same work.',
    });
    if (definition.afterDeployment) this.#runAfterDeployment();
  }

  #runAfterDeployment(): void {
    // Not awaited: work that takes minutes, or fails, must not hold up or roll back a deployment. Lambda tries an
    // event twice more, and the job's alarm tells of a failure.
    new Trigger(this, 'AfterDeployment', {
      handler: this.function,
      invocationType: InvocationType.EVENT,
    });
    Validations.of(this.function).acknowledge({
      id: 'Annotation::@aws-cdk/aws-lambda:addPermissionsToVersionOrAlias',
      reason:
        'The schedule invokes the function itself; only the trigger, which has its own grant, names a version.',
    });
  }
}
