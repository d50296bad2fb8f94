package printed

import "testing"

// beginning is what transformers prints as a training beginning.
var beginning = []string{"***** Running training *****", "  Num Epochs = 3", "  Total optimization steps = 60"}

// What is printed of several trainings, one after the other.
func TestWhatStrangersPrintOfSeveralTrainings(t *testing.T) {
	study := "[I 2026-11-24 12:00:00,123] A new study created in memory with name: no-name-b2f0"
	trial := func(n string) string { return "[I 2026-11-24 12:01:00,123] Trial " + n + " finished with value: 0.8." }
	for name, c := range map[string]struct {
		command string
		lines   []string
		want    string
	}{
		"CatBoost in folds": {"train.py", all("fold 1",
			"0:\tlearn: 0.79\ttest: 0.78\tbest: 0.78 (0)\ttotal: 182ms\tremaining: 3m 1s",
			"999:\tlearn: 0.99\ttest: 0.96\tbest: 0.96 (989)\ttotal: 2m 38s\tremaining: 0us", "fold 2",
			"0:\tlearn: 0.78\ttest: 0.79\tbest: 0.79 (0)\ttotal: 169ms\tremaining: 2m 49s"),
			"unknown: epochs are gone through again and again, and nothing says how many there are, and how often"},
		"a search of transformers": {"train.py", all(study, beginning, barsOf("", 60, 0, 60), trial("0"), beginning,
			barsOf("", 60, 0, 30)), "unknown: steps up to 60 are gone through again and again, and nothing says how often"},
		"a search of transformers, in its first training": {"train.py", all(study, beginning, barsOf("", 60, 0, 30)),
			"unknown: steps up to 60 are gone through again and again, and nothing says how often"},
		"a search of transformers, with its trials": {"train.py --n_trials 4", all(study, beginning, barsOf("", 60, 0, 20),
			evaluated("1.0"), barsOf("", 60, 21, 60), trial("0"), beginning, barsOf("", 60, 0, 30)), "1.5/4 epochs"},
		"a search of transformers without a bar": {"train.py --n_trials 4", all(study, beginning, evaluated("1.0"),
			evaluated("3.0"), trial("0"), beginning, evaluated("1.5")), "1.5/4 epochs"},
		"folds of transformers": {"train.py", all("Fold 1/4", beginning, barsOf("", 60, 0, 60), barsOf("", 8, 0, 8),
			"Fold 2/4", beginning, barsOf("", 60, 0, 30)), "1.5/4 epochs"},
		"Keras Tuner": {"tune.py --max_trials=3", all("Search: Running Trial #1", count("Epoch #/4", 1, 4, 1),
			"50/50 ━━━━━━━━━━ 0s 3ms/step - loss: 1.2", "Trial 1 Complete [00h 00m 12s]", "Search: Running Trial #2",
			count("Epoch #/4", 1, 2, 1)), "5/12 epochs"},
		"XGBoost in folds": {"train.py --num_boost_round 100", all("Fold 1",
			count("[#]\ttrain-auc:0.91234\tvalid-auc:0.90123", 0, 90, 10), "[99]\ttrain-auc:0.91234\tvalid-auc:0.90123"),
			"unknown: steps up to 100 are gone through again and again, and nothing says how often"},
		"XGBoost in folds of which the number is known": {"train.py --num_boost_round 100", all("Fold 1/5",
			"[50]\ttrain-auc:0.91234\tvalid-auc:0.90123", "[99]\ttrain-auc:0.91234\tvalid-auc:0.90123", "Fold 2/5",
			"[0]\ttrain-auc:0.91234\tvalid-auc:0.90123", "[50]\ttrain-auc:0.91234\tvalid-auc:0.90123"), "1.5/5 epochs"},
		"a search of scikit-learn, of trainings of Keras": {"train.py", all(
			"Fitting 5 folds for each of 2 candidates, totalling 10 fits", count("Epoch #/4", 1, 4, 1),
			"50/50 ━━━━━━━━━━ 0s 3ms/step - loss: 1.2", "[CV 1/5] END .....units=8;, score=0.953 total time=   0.1s",
			count("Epoch #/4", 1, 3, 1)), "6/40 epochs"},
		"a search of scikit-learn that counts nothing": {"train.py", all(
			"Fitting 5 folds for each of 2 candidates, totalling 10 fits",
			"[CV 1/5; 1/2] START units=8", "[CV 1/5; 1/2] END .....units=8;, score=0.953 total time=   0.1s",
			"[Parallel(n_jobs=4)]: Done   4 out of  10 | elapsed:    0.4s"), "unknown: "},
		"Ray Tune, of several trials": {"tune.py", all("Number of trials: 4/4 (2 PENDING, 2 RUNNING)",
			"(train pid=123) Epoch 1/4, loss 0.3", "(train pid=124) Epoch 1/4, loss 0.3", "(train pid=123) Epoch 2/4, loss 0.3"),
			"unknown: 4 epochs are gone through again and again, and nothing says how often"},
		"Ray Tune, of several trials, as it tells of them later": {"tune.py", all("Trial status: 1 RUNNING | 3 PENDING",
			barsOf("(train pid=123) ", 60, 0, 30)),
			"unknown: steps up to 60 are gone through again and again, and nothing says how often"},
		"Ray Tune, of several trials, once one of them was seen": {"tune.py", all("(train pid=123) Epoch 1/4, loss 0.3",
			"Number of trials: 4/4 (2 PENDING, 2 RUNNING)", "(train pid=123) Epoch 2/4, loss 0.3"),
			"unknown: 4 epochs are gone through again and again, and nothing says how often"},
		"Ray Tune, of one trial": {"tune.py", all("Number of trials: 1/1 (1 RUNNING)", "Trial status: 1 RUNNING",
			"(train pid=123) Epoch 1/4, loss 0.3", "(train pid=123) Epoch 2/4, loss 0.3"), "2/4 epochs"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := afterCommand(c.command, c.lines...); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// The bar of an evaluation that is complete when it is first seen is drawn within that of the training all the same.
func TestAnEvaluationThatIsTheFirstThatIsSeen(t *testing.T) {
	var r Reader
	r.Missed()
	got := after(&r, bar("", 13, 13)+"\x1b[A", "{'eval_loss': 0.6, 'eval_runtime': 1.2, 'epoch': 0.20}")
	if want := "unknown: a bar up to 13 is drawn within another that is not seen"; got != want {
		t.Errorf("it reads %s, want %s", got, want)
	}
}

// An epoch within the steps of an episode, of which alone something was seen at first, is not all of it.
func TestAnEpochWithinEpisodesThatWereMissed(t *testing.T) {
	var r Reader
	r.Missed()
	got := after(&r, all(barsOf("Train epoch [1/1]: ", 8, 4, 8), bar("Episode [3/5]: ", 9, 20),
		barsOf("Train epoch [1/1]: ", 8, 0, 8), bar("Episode [3/5]: ", 10, 20), barsOf("Train epoch [1/1]: ", 8, 0, 4))...)
	if got != "2.5/5 epochs" {
		t.Errorf("it reads %s, want 2.5/5 epochs", got)
	}
}

// A number of batches, which may be those of an epoch, hides nothing that the environment says.
func TestTheEnvironmentCountsBesideBatches(t *testing.T) {
	work := Started([]string{"train.py", "--num_batches=100"}, []string{"EPOCHS=30"})
	if work.Epochs != 30 || work.batches != 100 {
		t.Errorf("it says %+v", work)
	}
}

// The trials of a tuner go on though the first that is seen is not known to be one.
func TestTrialsOfWhichTheFirstWasMissed(t *testing.T) {
	var r Reader
	r.Missed()
	r.Plan(Command([]string{"tune.py", "--max_trials=3"}))
	got := after(&r, all(count("Epoch #/4", 2, 4, 1), "50/50 ━━━━━━━━━━ 0s 3ms/step - loss: 1.2",
		"Search: Running Trial #2", "Epoch 1/4")...)
	if got != "4/12 epochs" {
		t.Errorf("it reads %s, want 4/12 epochs", got)
	}
}

// One of several runs that the command asks for is not the only one.
func TestARunOfWhichTheFirstWereMissed(t *testing.T) {
	var r Reader
	r.Missed()
	r.Plan(Command([]string{"gnn.py", "--epochs=10", "--runs=3"}))
	if got := after(&r, count("Run: 02, Epoch: #, Loss: 1.2345, Test: 50.12%", 4, 6, 1)...); got != "16/30 epochs" {
		t.Errorf("it reads %s, want 16/30 epochs", got)
	}
}

// A training of a search looks like the only one, until its end says that it was one of several.
func TestAPassThatWasMissedIsNotTheWhole(t *testing.T) {
	for over, want := range map[string]string{
		"[I 2026-11-24 12:01:00,123] Trial 1 finished with value: 0.8.": "2.5/4 epochs", "Fold 2/4": "1.5/4 epochs",
	} {
		var r Reader
		r.Missed()
		r.Plan(Command([]string{"train.py", "--n_trials=4"}))
		if got := after(&r, all(barsOf("", 60, 40, 60), over, beginning, barsOf("", 60, 0, 30))...); got != want {
			t.Errorf("behind %q it reads %s, want %s", over, got, want)
		}
	}
}
