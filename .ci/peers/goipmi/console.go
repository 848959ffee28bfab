package main

import (
	"bytes"
	"context"
	"sync"
)

// console is a serial port that greets, and sends back what is typed in capital letters and breaks as "<BREAK>".
type console struct {
	lock    sync.Mutex
	waiting []byte
}

func (c *console) Write(typed []byte) (int, error) {
	c.print(bytes.ToUpper(typed))
	return len(typed), nil
}

func (c *console) ReadAvailable(into []byte) (int, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	count := copy(into, c.waiting)
	c.waiting = c.waiting[count:]
	return count, nil
}

func (c *console) SendBreak(context.Context) error {
	c.print([]byte("<BREAK>"))
	return nil
}

func (c *console) Close() error { return nil }

func (c *console) print(text []byte) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.waiting = append(c.waiting, text...)
}
