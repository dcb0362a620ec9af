"""What a release discloses: classes, evidence, the trajectory of a plan and the scores of its next step."""
